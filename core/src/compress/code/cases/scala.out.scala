package com.acme.shop

import scala.collection.mutable

/** One order. */
case class Order(id: Int) {
  /** Places it. */
  def place(cart: Seq[Int]): Int = {
    // [caveman: lines 9-29]
  }
}
[caveman: 21 of 31 lines of Scala elided; caveman_retrieve("ccr_c7ac09799a854a085e70767c8e1503b1")]
