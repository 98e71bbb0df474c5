import Foundation

/// One order.
public struct Order {
    public let id: Int

    /// Places it.
    public func place(_ cart: [Int]) throws -> Int {
        guard !cart.isEmpty else {
            throw ShopError.empty
        }
        var total = 0
        for item in cart {
            total += item
        }
        for item in cart {
            total += item
        }
        for item in cart {
            total += item
        }
        for item in cart {
            total += item
        }
        for item in cart {
            total += item
        }
        print("placed } \(total)")
        return total
    }

    var name: String { "order" }
}
