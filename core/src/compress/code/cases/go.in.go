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
	raw := `{ not a brace "`
	if len(cart) == 0 {
		return errors.New(raw)
	}
	for _, item := range cart {
		fmt.Println(item, '{')
	}
	for _, item := range cart {
		fmt.Println(item, '{')
	}
	for _, item := range cart {
		fmt.Println(item, '{')
	}
	for _, item := range cart {
		fmt.Println(item, '{')
	}
	for _, item := range cart {
		fmt.Println(item, '{')
	}
	o.ID++
	return nil
}

func (o Order) String() string { return fmt.Sprint(o.ID) }
