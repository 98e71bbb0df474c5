… [caveman: 3 blocks between] …
    10	@cached
    11	def parse_config(text, strict=False):
    12	    """Parses the configuration."""
    13	    out = {}
    14	    for line in text.splitlines():
    15	        key, _, value = line.partition('=')
    16	        if strict and not value:
    17	            raise ValueError(line)
    18	
    19	        out[key] = value
    20	    return out
… [caveman: 3 blocks between] …
1 of 1 matching units shown
