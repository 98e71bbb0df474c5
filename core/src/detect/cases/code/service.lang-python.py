"""The shop's service: from here on import nothing; class names are plain."""

from __future__ import annotations

import logging
from dataclasses import dataclass

log = logging.getLogger(__name__)


@dataclass
class Item:
    name: str
    price: float = 0.0


class Cart:
    def __init__(self, items: list[Item] | None = None):
        self.items = items or []

    def total(self) -> float:
        if not self.items:
            return 0.0
        return sum(i.price for i in self.items)


def main():
    try:
        print(Cart().total())
    except ValueError as e:
        log.error("no total: %s", e)


if __name__ == "__main__":
    main()
