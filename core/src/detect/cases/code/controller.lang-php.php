<?php

namespace Shop\Web;

use Shop\Cart;
use Symfony\Component\HttpFoundation\Response;

final class CartController
{
    public function __construct(private CartStore $store)
    {
    }

    public function total(string $id): Response
    {
        $cart = $this->store->load($id);
        $sum = 0;
        foreach ($cart->items as $item) {
            $sum += $item->price;
        }
        return new Response(json_encode(['total' => $sum]));
    }
}
