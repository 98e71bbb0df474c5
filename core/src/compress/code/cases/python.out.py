"""Orders of a shop."""
from __future__ import annotations
import os


class Order:
    """One order."""

    limit = 3

    @property
    def total(self) -> int:
        return self._total

    def place(
        self,
        cart: list[int],
    ) -> None:
        """Places it.

        Raises ValueError when the cart is empty.
        """
        # [caveman: lines 23-52]


async def main(argv):
    # [caveman: lines 56-61; FIXME: 60]

if __name__ == "__main__":
    main(os.environ)
[caveman: 36 of 64 lines of Python elided; caveman_retrieve("ccr_3255e8a3963032a2b7016faeed7e8657")]
