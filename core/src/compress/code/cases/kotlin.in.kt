package com.acme.shop

import kotlin.math.max

/** One order. */
data class Order(val id: Int) {
    companion object {
        const val LIMIT = 3
    }

    /** Places it. */
    fun place(cart: List<Int>): Int {
        val text = "size ${cart.map { "<$it>" }.size} }"
        if (cart.isEmpty()) {
            throw IllegalStateException(text)
        }
        var total = 0
        for (item in cart) {
            total += max(item, 0)
        }
        for (item in cart) {
            total += max(item, 0)
        }
        for (item in cart) {
            total += max(item, 0)
        }
        for (item in cart) {
            total += max(item, 0)
        }
        for (item in cart) {
            total += max(item, 0)
        }
        return total
    }

    fun name() = "order $id"
}
