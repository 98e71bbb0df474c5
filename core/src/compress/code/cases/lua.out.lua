local json = require("json")

-- One order.
local Order = {}

-- Places it.
function Order.place(self, cart)
  -- [caveman: lines 8-26]
end

return Order
[caveman: 19 of 29 lines of Lua elided; caveman_retrieve("ccr_26f679cad2da0407fe06b2e41cdb0586")]
