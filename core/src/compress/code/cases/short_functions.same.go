package shop

func a() int {
	return 1
}

func b() int {
	return 2
}
