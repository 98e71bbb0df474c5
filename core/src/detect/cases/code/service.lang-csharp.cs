using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace Shop.Services
{
    public sealed class CartService : ICartService
    {
        private readonly ICartStore _store;

        public CartService(ICartStore store) => _store = store;

        public string Name { get; set; } = "cart";

        public async Task<decimal> TotalAsync(string id)
        {
            var cart = await _store.LoadAsync(id) ?? throw new KeyNotFoundException(id);
            decimal sum = 0m;
            foreach (var item in cart.Items)
            {
                sum += item.Price;
            }
            return sum;
        }
    }
}
