local json = require("json")

-- One order.
local Order = {}

-- Places it.
function Order.place(self, cart)
  -- [caveman: 19 lines elided: 8-26]
end

return Order
[caveman: 19 of 29 lines elided; caveman_retrieve("ccr_26f679cad2da0407fe06b2e41cdb0586")]
