package com.acme.shop

import scala.collection.mutable

/** One order. */
case class Order(id: Int) {
  /** Places it. */
  def place(cart: Seq[Int]): Int = {
    val text = s"size ${cart.map { i => s"<$i>" }.size} }"
    if (cart.isEmpty) {
      throw new IllegalStateException(text)
    }
    var total = 0
    for (item <- cart) {
      total += item
    }
    for (item <- cart) {
      total += item
    }
    for (item <- cart) {
      total += item
    }
    for (item <- cart) {
      total += item
    }
    for (item <- cart) {
      total += item
    }
    total
  }
}
