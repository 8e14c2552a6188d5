// Static variables are destroyed in the end, the last made first.
#include <cstdio>

struct Named {
  explicit Named(int number) : number(number) { std::printf("made %d\n", number); }
  ~Named() { std::printf("gone %d\n", number); }
  int number;
};

static Named first(1);
static Named second(2);

static Named &local() {
  static Named made(3);
  return made;
}

static Named &never() {
  static Named made(4);
  return made;
}

int main() {
  local().number = 30;
  local().number++;
  if (first.number == 7) {
    never();
  }
  std::printf("end\n");
  return 0;
}
