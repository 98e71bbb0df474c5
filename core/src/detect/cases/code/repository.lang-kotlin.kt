package shop.data

import kotlinx.coroutines.flow.Flow
import shop.model.Item

data class Cart(val id: String, val items: List<Item> = emptyList())

class CartRepository(private val dao: CartDao) {
    private val cache = mutableMapOf<String, Cart>()

    suspend fun load(id: String): Cart? {
        cache[id]?.let { return it }
        val cart = dao.find(id) ?: return null
        cache[id] = cart
        return cart
    }

    fun total(cart: Cart): Int = when {
        cart.items.isEmpty() -> 0
        else -> cart.items.sumOf { it.price }
    }

    companion object {
        const val LIMIT = 100
    }
}
