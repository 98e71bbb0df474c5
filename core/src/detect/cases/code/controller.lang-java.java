package shop.web;

import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;

/** Serves carts. */
public class CartController {
    private final CartService service;

    public CartController(CartService service) {
        this.service = service;
    }

    @GetMapping("/total")
    public Map<String, Long> total(String id) throws NotFoundException {
        List<Item> items = service.load(id);
        long sum = 0;
        for (Item item : items) {
            sum += item.getPrice();
        }
        return Map.of("total", sum);
    }

    @Override
    public String toString() {
        return "CartController";
    }
}
