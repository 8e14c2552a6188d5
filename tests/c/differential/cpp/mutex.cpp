// std::mutex with lock_guard.
#include <cstdio>
#include <mutex>
#include <thread>

static std::mutex lock;
static int count;

static void work(int by) {
    for (int i = 0; i < 2; i++) {
        std::lock_guard<std::mutex> guard(lock);
        count += by;
    }
}

int main() {
    std::thread a(work, 1), b(work, 10);
    a.join();
    b.join();
    std::printf("%d\n", count);
    return 0;
}
