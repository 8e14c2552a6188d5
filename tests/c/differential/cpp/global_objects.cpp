// Global objects are made before main, in order.
#include <cstdio>

static int next = 1;

struct Numbered {
    int number;
    Numbered() : number(next++) {}
};

static Numbered first, second;
static int computed = first.number * 100 + second.number;

int main() {
    std::printf("%d %d %d\n", first.number, second.number, computed);
    return 0;
}
