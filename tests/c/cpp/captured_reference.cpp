// A thread that is detached keeps a reference to a local variable.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <thread>

static void start(int number) {
  std::thread worker([&number] {
    number++; //~ memory
  });
  worker.detach();
}

int main() {
  start(1);
  std::this_thread::yield();
  return 0;
}
