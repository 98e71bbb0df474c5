#include <vector>
#include <string>

namespace shop {

template <typename T>
class Cart : public Base<T> {
 public:
  explicit Cart(std::vector<T> items) : items_(std::move(items)) {}

  /// Adds an item.
  virtual void add(const T& item) override {
    auto raw = R"x(a " } )" b)x";
    items_.push_back(item);
    if (items_.size() > 10) {
      throw std::runtime_error(raw);
    }
    for (auto& i : items_) {
      touch(i);
    }
    for (auto& i : items_) {
      touch(i);
    }
    for (auto& i : items_) {
      touch(i);
    }
    for (auto& i : items_) {
      touch(i);
    }
    for (auto& i : items_) {
      touch(i);
    }
  }

 private:
  std::vector<T> items_;
};

int total(const Cart<int>& cart) noexcept {
  int sum = 0;
  for (int i : cart) {
    sum += i;
  }
  for (int i : cart) {
    sum += i;
  }
  for (int i : cart) {
    sum += i;
  }
  for (int i : cart) {
    sum += i;
  }
  for (int i : cart) {
    sum += i;
  }
  log("summed");
  log("returned");
  return sum;
}

}  // namespace shop
