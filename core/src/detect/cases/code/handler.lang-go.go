package web

import (
	"encoding/json"
	"net/http"
)

type Cart struct {
	ID    string `json:"id"`
	Items []Item
}

// Total serves the sum.
func (s *Server) Total(w http.ResponseWriter, r *http.Request) {
	cart, err := s.store.Load(r.Context(), r.URL.Query().Get("id"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	sum := 0
	for _, item := range cart.Items {
		sum += item.Price
	}
	json.NewEncoder(w).Encode(map[string]int{"total": sum})
}
