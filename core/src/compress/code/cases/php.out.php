<?php
namespace Acme\Shop;

use RuntimeException;

/** One order. */
final class Order
{
    private int $id = 0;

    /** Places it. */
    public function place(array $cart): int
    {
        // [caveman: lines 14-36]
    }
}
[caveman: 23 of 38 lines of PHP elided; caveman_retrieve("ccr_8f6f802af6065c914ad2c1f6878ef085")]
