import Foundation

/// One order.
public struct Order {
    public let id: Int

    /// Places it.
    public func place(_ cart: [Int]) throws -> Int {
        // [caveman: lines 9-29]
    }

    var name: String { "order" }
}
[caveman: 21 of 33 lines of Swift elided; caveman_retrieve("ccr_77ee456a7a35fe6ec903e5c58eab4060")]
