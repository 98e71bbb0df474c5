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
        text = """
def not_a_function():
    pass
"""
        if not cart:
            raise ValueError(text)
# a comment at the margin
        for item in cart:
            print(item, {
                "a": 1,
            })
        for item in cart:
            print(item, {
                "a": 1,
            })
        for item in cart:
            print(item, {
                "a": 1,
            })
        for item in cart:
            print(item, {
                "a": 1,
            })
        for item in cart:
            print(item, {
                "a": 1,
            })
        def inner():
            return 1
        self._total = sum(cart) + inner()


async def main(argv):
    order = Order()
    order.place([1, 2])
    order.place([3, 4])
    print(order.total)
    # FIXME: exit code
    return 0

if __name__ == "__main__":
    main(os.environ)
