// `exit` destroys static variables, too, and none of the others.
#include <cstdio>
#include <cstdlib>

struct Named {
  explicit Named(int number) : number(number) {}
  ~Named() { std::printf("gone %d\n", number); }
  int number;
};

static Named first(1);

static void leave() {
  Named mine(2);
  first.number = 10;
  std::exit(3);
}

int main() {
  Named mine(4);
  leave();
  return 0;
}
