using System;
using System.Collections.Generic;

namespace Acme.Shop
{
    /// <summary>One order.</summary>
    public class Order
    {
        public int Id { get; private set; }

        /// <summary>Places it.</summary>
        public void Place(IReadOnlyList<int> cart)
        {
            var path = @"c:\dir ""quoted"" }";
            if (cart.Count == 0)
            {
                throw new InvalidOperationException($"empty {path}");
            }
            foreach (var item in cart)
            {
                Console.WriteLine(item);
            }
            foreach (var item in cart)
            {
                Console.WriteLine(item);
            }
            foreach (var item in cart)
            {
                Console.WriteLine(item);
            }
            foreach (var item in cart)
            {
                Console.WriteLine(item);
            }
            foreach (var item in cart)
            {
                Console.WriteLine(item);
            }
            Id++;
        }
    }
}
