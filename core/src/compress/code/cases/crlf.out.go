package shop

import "fmt"

// Größe sagt alles.
func Größe() {
	// [caveman: lines 7-36]
}
[caveman: 30 of 37 lines of Go elided; caveman_retrieve("ccr_23e1f5730eb3bb297e3bcf1dab583309")]
