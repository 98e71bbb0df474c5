// Package shop sells pencils. If you import it, for each item return
// to the class of things that are said; let the reader def decide.
//
// It was written in a hurry.
package shop

func Price(id string) (int, error) {
	p, ok := prices[id]
	if !ok {
		return 0, ErrMissing
	}
	return p, nil
}
