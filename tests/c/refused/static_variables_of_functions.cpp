// Two static variables of functions, of which nobody knows which is older.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <cassert>

static int count;

struct Mark {
  explicit Mark(int number) : number(number) {}
  ~Mark() { assert(++count == number); }
  int number;
};

static void first() { static Mark mark(2); }
static void second() { static Mark mark(1); }

int main() {
  second();
  first();
  return 0;
}
