require "json"

# One order.
class Order
  attr_reader :id

  # Places it.
  def place(cart)
    # [caveman: lines 9-28]
  end

  def name = "order"

  def odd
    <<~TEXT
      a
      b
    TEXT
  end
end
[caveman: 20 of 39 lines of Ruby elided; caveman_retrieve("ccr_80337459d105d54ac0e23dce1b4c89fd")]
