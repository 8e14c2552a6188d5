// std::thread with a function, a lambda and arguments.
#include <cstdio>
#include <thread>

static int results[3];

static void work(int index, int value) { results[index] = value; }

int main() {
    std::thread a(work, 0, 11);
    int local = 5;
    std::thread b([&local] { results[1] = local * 2; });
    std::thread c;
    c = std::thread(work, 2, 33);
    a.join();
    b.join();
    std::printf("%d\n", c.joinable());
    c.join();
    std::printf("%d %d %d %d\n", results[0], results[1], results[2], c.joinable());
    return 0;
}
