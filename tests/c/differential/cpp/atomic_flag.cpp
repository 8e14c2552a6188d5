// A lock of an atomic flag, in a class.
#include <atomic>
#include <cstdio>
#include <thread>

class SpinLock {
    std::atomic_flag flag = ATOMIC_FLAG_INIT;

public:
    void lock() {
        while (flag.test_and_set(std::memory_order_acquire)) {
            std::this_thread::yield();
        }
    }
    void unlock() { flag.clear(std::memory_order_release); }
};

static SpinLock spin;
static int total;

static void work(int by) {
    spin.lock();
    total += by;
    spin.unlock();
}

int main() {
    std::thread a(work, 4), b(work, 8);
    a.join();
    b.join();
    std::printf("%d\n", total);
    return 0;
}
