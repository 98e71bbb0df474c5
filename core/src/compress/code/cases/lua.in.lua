local json = require("json")

-- One order.
local Order = {}

-- Places it.
function Order.place(self, cart)
  local total = 0
  for _, item in ipairs(cart) do
    total = total + item
  end
  for _, item in ipairs(cart) do
    total = total + item
  end
  for _, item in ipairs(cart) do
    total = total + item
  end
  for _, item in ipairs(cart) do
    total = total + item
  end
  for _, item in ipairs(cart) do
    total = total + item
  end
  print("placed " .. total)
  print("done placing")
  return total
end

return Order
