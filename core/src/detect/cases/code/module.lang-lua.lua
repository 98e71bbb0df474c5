-- The cart.
local json = require("json")

local Cart = {}
Cart.__index = Cart

function Cart.new(items)
  local self = setmetatable({}, Cart)
  self.items = items or {}
  return self
end

function Cart:total()
  local sum = 0
  for _, item in ipairs(self.items) do
    if item.price ~= nil then
      sum = sum + item.price
    end
  end
  return sum
end

return Cart
