// References, overloads, default arguments, namespaces.
#include <cstdio>

namespace shop {
static int price(int n) { return 2 * n; }
static int price(int n, int extra) { return 2 * n + extra; }
static long price(long n) { return 3 * n; }
} // namespace shop

static void bump(int &x, int by = 1) { x += by; }
static int &pick(int *v, int i) { return v[i]; }

int main() {
    std::printf("%d %d %ld\n", shop::price(5), shop::price(5, 1), shop::price(5L));
    int x = 1;
    bump(x);
    bump(x, 10);
    int v[3] = {1, 2, 3};
    pick(v, 2) = x;
    const int &view = v[2];
    v[2]++;
    std::printf("%d %d\n", x, view);
    return 0;
}
