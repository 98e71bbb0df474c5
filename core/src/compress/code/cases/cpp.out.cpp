#include <vector>
#include <string>

namespace shop {

template <typename T>
class Cart : public Base<T> {
 public:
  explicit Cart(std::vector<T> items) : items_(std::move(items)) {}

  /// Adds an item.
  virtual void add(const T& item) override {
    // [caveman: lines 13-32]
  }

 private:
  std::vector<T> items_;
};

int total(const Cart<int>& cart) noexcept {
  // [caveman: lines 40-58]
}

}  // namespace shop
[caveman: 39 of 61 lines of C++ elided; caveman_retrieve("ccr_73df0b30af40899332e93873d1a427e7")]
