#include <memory>
#include <string>
#include <vector>

namespace shop {

template <typename T>
class Pool {
public:
    explicit Pool(std::size_t n) : slots_(n) {}
    virtual ~Pool() = default;

    std::unique_ptr<T> take() {
        if (slots_.empty()) return nullptr;
        auto slot = std::move(slots_.back());
        slots_.pop_back();
        return slot;
    }

private:
    std::vector<std::unique_ptr<T>> slots_;
};

}  // namespace shop
