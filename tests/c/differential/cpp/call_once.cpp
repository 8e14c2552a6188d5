// A function that runs once, and a static local that is made once.
#include <cstdio>
#include <mutex>
#include <thread>

static std::once_flag flag;
static int calls, made;

struct Made {
    int value;
    Made() : value(++made + 4) {}
};

static int shared() {
    static Made instance;
    return instance.value;
}

static void work(int *out) {
    std::call_once(flag, [] { calls++; });
    *out = shared();
}

int main() {
    int x = 0, y = 0;
    std::thread a(work, &x), b(work, &y);
    a.join();
    b.join();
    std::printf("%d %d %d %d\n", calls, made, x, y);
    return 0;
}
