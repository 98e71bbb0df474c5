… [caveman: 3 blocks between] …
@cached
def parse_config(text, strict=False):
    """Parses the configuration."""
    out = {}
    for line in text.splitlines():
        key, _, value = line.partition('=')
        if strict and not value:
            raise ValueError(line)

        out[key] = value
    return out
… [caveman: 3 blocks between] …
1 of 1 matching units shown
