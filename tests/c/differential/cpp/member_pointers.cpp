// Pointers to members, also through memory.
#include <cstdio>

struct Counter {
  int first = 1;
  int count = 0;
  void add(int by) { count += by; }
  virtual void twice(int by) { count += 2 * by; }
  virtual ~Counter() {}
};

using Member = void (Counter::*)(int);

static void call(Counter *counter, const Member &member, int by) { (counter->*member)(by); }

int main() {
  Counter *counter = new Counter;
  Member members[] = {&Counter::add, &Counter::twice};
  for (const Member &member : members)
    call(counter, member, 3);
  int Counter::*field = &Counter::count;
  std::printf("%d %d\n", counter->first, counter->*field);
  delete counter;
  return 0;
}
