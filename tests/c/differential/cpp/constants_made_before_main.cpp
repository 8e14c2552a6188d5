// Constants that are computed before `main`.
#include <cstdio>

static int next() {
  static int last;
  return ++last;
}

struct Point {
  explicit Point(int x) : x(x), y(next()) {}
  int x, y;
};

static const int limit = next() + 4;
static const Point point(next());

int main() {
  std::printf("%d %d %d\n", limit, point.x, point.y);
  return 0;
}
