// A future hands on what its function throws.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <cassert>
#include <future>

struct Broken {
  int code;
};

static int work(int number) {
  if (number > 1) {
    throw Broken{number};
  }
  return number;
}

int main() {
  std::future<int> result = std::async(std::launch::async, work, 2);
  int code = 0;
  try {
    result.get();
  } catch (const Broken &broken) {
    code = broken.code;
  }
  assert(code == 2);
  return 0;
}
