package com.acme.shop;

import java.util.List;

/** One order. */
public final class Order implements Comparable<Order> {
    private static final int[] LIMITS = {1, 2, 3};
    private final int id;

    public Order(int id) {
        this.id = id;
    }

    /** Places it. */
    @Override
    public <T extends Number> int place(List<T> cart) throws IllegalStateException {
        // [caveman: lines 17-40]
    }
}
[caveman: 24 of 42 lines of Java elided; caveman_retrieve("ccr_0dd09ce7abf3514418e084e4d1d06c78")]
