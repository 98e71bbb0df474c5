package shop

import "fmt"

// Größe sagt alles.
func Größe() {
	fmt.Println("zeile 0")
	fmt.Println("zeile 1")
	fmt.Println("zeile 2")
	fmt.Println("zeile 3")
	fmt.Println("zeile 4")
	fmt.Println("zeile 5")
	fmt.Println("zeile 6")
	fmt.Println("zeile 7")
	fmt.Println("zeile 8")
	fmt.Println("zeile 9")
	fmt.Println("zeile 10")
	fmt.Println("zeile 11")
	fmt.Println("zeile 12")
	fmt.Println("zeile 13")
	fmt.Println("zeile 14")
	fmt.Println("zeile 15")
	fmt.Println("zeile 16")
	fmt.Println("zeile 17")
	fmt.Println("zeile 18")
	fmt.Println("zeile 19")
	fmt.Println("zeile 20")
	fmt.Println("zeile 21")
	fmt.Println("zeile 22")
	fmt.Println("zeile 23")
	fmt.Println("zeile 24")
	fmt.Println("zeile 25")
	fmt.Println("zeile 26")
	fmt.Println("zeile 27")
	fmt.Println("zeile 28")
	fmt.Println("zeile 29")
}
