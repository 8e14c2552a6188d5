// Calls through a base class.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <cassert>
#include <thread>

class Task {
public:
  virtual ~Task() = default;
  virtual int run() = 0;
};

class Twice : public Task {
public:
  explicit Twice(int value) : value(value) {}
  int run() override { return 2 * value; }

private:
  int value;
};

int main() {
  Twice twice(21);
  Task &task = twice;
  int result = 0;
  std::thread worker([&] { result = task.run(); });
  worker.join();
  assert(result == 42);
}
