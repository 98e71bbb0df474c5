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
        $text = <<<EOT
        a "quoted" }
        EOT;
        if (count($cart) === 0) {
            throw new RuntimeException($text);
        }
        $total = 0;
        foreach ($cart as $item) {
            $total += $item;
        }
        foreach ($cart as $item) {
            $total += $item;
        }
        foreach ($cart as $item) {
            $total += $item;
        }
        foreach ($cart as $item) {
            $total += $item;
        }
        foreach ($cart as $item) {
            $total += $item;
        }
        return $total;
    }
}
