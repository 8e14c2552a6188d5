// std::atomic: operators, fetch operations, compare_exchange.
#include <atomic>
#include <cstdio>
#include <thread>

static std::atomic<int> count{0};
static std::atomic<long> best(0);

static void offer(long x) {
    count++;
    long seen = best.load();
    while (x > seen && !best.compare_exchange_weak(seen, x)) {
    }
}

int main() {
    std::thread a(offer, 50L), b(offer, 70L);
    offer(60);
    a.join();
    b.join();
    int old = count.fetch_sub(1, std::memory_order_acq_rel);
    std::printf("%d %d %ld\n", old, count.load(), best.load());
    int expected = 9;
    bool swapped = count.compare_exchange_strong(expected, 1);
    std::printf("%d %d %d\n", swapped, expected, count.exchange(4));
    return 0;
}
