// std::condition_variable with a loop around the wait.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static int value;

static void producer() {
    std::unique_lock<std::mutex> guard(lock);
    value = 21;
    changed.notify_one();
}

int main() {
    std::thread t(producer);
    {
        std::unique_lock<std::mutex> guard(lock);
        while (value == 0) {
            changed.wait(guard);
        }
        std::printf("%d\n", 2 * value);
    }
    t.join();
    return 0;
}
