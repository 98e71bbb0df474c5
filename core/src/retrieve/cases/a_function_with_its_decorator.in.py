import os
import sys


def load(path):
    with open(path) as f:
        return f.read()


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


# Writes what parse_config reads.
def dump(config):
    return '\n'.join(f'{k}={v}' for k, v in config.items())


class Worker:
    limit = 5

    def run(self):
        for job in self.jobs:
            job()


if __name__ == '__main__':
    Worker().run()
