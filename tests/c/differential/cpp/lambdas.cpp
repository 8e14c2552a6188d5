// Closures that capture by value and by reference.
#include <cstdio>

template <typename F> static void repeat(int n, F f) {
    for (int i = 0; i < n; i++) {
        f(i);
    }
}

int main() {
    int sum = 0, factor = 3;
    repeat(4, [&sum, factor](int i) { sum += factor * i; });
    factor = 100;
    auto add = [factor](int x) mutable { return factor += x; };
    int first = add(1), second = add(2);
    std::printf("%d %d %d %d\n", sum, first, second, factor);
    int (*plain)(int) = [](int x) { return x * x; };
    std::printf("%d\n", plain(9));
    return 0;
}
