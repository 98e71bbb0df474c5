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
            // [caveman: lines 14-39]
        }
    }
}
[caveman: 26 of 42 lines of C# elided; caveman_retrieve("ccr_9f69b3ada83d5c5690c357640a76cf63")]
