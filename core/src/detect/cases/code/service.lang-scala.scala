package shop.service

import scala.concurrent.{ExecutionContext, Future}
import shop.model._

case class Cart(id: String, items: Seq[Item])

trait CartStore {
  def load(id: String): Future[Option[Cart]]
}

class CartService(store: CartStore)(implicit ec: ExecutionContext) extends Service with Logging {
  private val limit = 100

  def total(id: String): Future[Int] = store.load(id).map {
    case Some(cart) => cart.items.map(_.price).sum
    case None => 0
  }
}

object CartService {
  lazy val default: CartService = new CartService(MemoryStore)
}
