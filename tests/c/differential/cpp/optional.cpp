// Values that may be missing: copies of them copy bytes that nobody ever sets.
#include <cstdio>
#include <optional>

static std::optional<int> half(int number) {
  if (number % 2 != 0) {
    return std::nullopt;
  }
  return number / 2;
}

int main() {
  std::optional<int> found;
  std::printf("%d\n", found.has_value());
  found = half(8);
  std::optional<int> copy = found;
  std::printf("%d %d\n", *found, *copy);
  found = half(3);
  std::printf("%d %d\n", found.has_value(), copy.value_or(0));
  copy = found;
  std::printf("%d\n", copy.has_value());
  return 0;
}
