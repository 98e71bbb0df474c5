package shop

import (
	"errors"
	"fmt"
)

// Order is one order.
type Order struct {
	ID int `json:"id"`
}

// Place places it.
func (o *Order) Place(cart []int) error {
	// [caveman: lines 15-35]
}

func (o Order) String() string { return fmt.Sprint(o.ID) }
[caveman: 21 of 38 lines of Go elided; caveman_retrieve("ccr_7d8ae789da5510156ac9c2cdc6cfe48c")]
