using System;

namespace Shop;

public static class Program
{
    public static void Main(string[] args)
    {
        Console.WriteLine("hello");
    }
}
