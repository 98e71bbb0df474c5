import SwiftUI

struct CartView: View {
    @State private var items: [Item] = []
    let store: CartStore

    var body: some View {
        List(items) { item in
            Text(item.name)
        }
        .task { await load() }
    }

    private func load() async {
        guard let cart = try? await store.load(id: "1") else { return }
        items = cart.items
    }
}

extension Item: Identifiable {
    func total(of count: Int) -> Int {
        return price * count
    }
}
