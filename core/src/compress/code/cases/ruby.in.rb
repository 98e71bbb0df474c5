require "json"

# One order.
class Order
  attr_reader :id

  # Places it.
  def place(cart)
    raise ArgumentError, "empty" if cart.empty?

    total = 0
    cart.each do |item|
      total += item
    end
    cart.each do |item|
      total += item
    end
    cart.each do |item|
      total += item
    end
    cart.each do |item|
      total += item
    end
    cart.each do |item|
      total += item
    end
    puts "placed #{total}"
    total
  end

  def name = "order"

  def odd
    <<~TEXT
      a
      b
    TEXT
  end
end
