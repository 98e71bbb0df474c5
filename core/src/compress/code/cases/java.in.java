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
        char brace = '{';
        String text = """
            a "quoted" }
            """;
        if (cart.isEmpty()) {
            throw new IllegalStateException(text + brace);
        }
        int total = 0;
        for (T item : cart) {
            total += item.intValue();
        }
        for (T item : cart) {
            total += item.intValue();
        }
        for (T item : cart) {
            total += item.intValue();
        }
        for (T item : cart) {
            total += item.intValue();
        }
        for (T item : cart) {
            total += item.intValue();
        }
        return total;
    }
}
