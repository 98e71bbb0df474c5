package com.acme.shop

import kotlin.math.max

/** One order. */
data class Order(val id: Int) {
    companion object {
        const val LIMIT = 3
    }

    /** Places it. */
    fun place(cart: List<Int>): Int {
        // [caveman: lines 13-33]
    }

    fun name() = "order $id"
}
[caveman: 21 of 37 lines of Kotlin elided; caveman_retrieve("ccr_521eba11ad04a054dcadbb573575d5fe")]
