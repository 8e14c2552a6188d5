// std::unique_lock: given back early, taken again, tried.
#include <cstdio>
#include <mutex>
#include <thread>

static std::mutex lock;
static int a, b;

static void work() {
    std::unique_lock<std::mutex> guard(lock);
    a++;
    guard.unlock();
    guard.lock();
    b += a > 0;
}

int main() {
    std::thread t(work);
    work();
    t.join();
    std::unique_lock<std::mutex> guard(lock, std::try_to_lock);
    std::printf("%d %d %d\n", a, b, guard.owns_lock());
    return 0;
}
