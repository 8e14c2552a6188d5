// Exceptions: by type, by base class, again, and what goes out of scope on the way.
#include <cstdio>
#include <stdexcept>

struct Base {
  virtual ~Base() {}
  int number = 1;
};
struct Derived : Base {
  Derived() { number = 2; }
};
struct Other {
  int number = 3;
  ~Other() { std::printf("other gone\n"); }
};

struct Scoped {
  const char *name;
  ~Scoped() { std::printf("left %d\n", name[0]); }
};

static void choose(int which) {
  Scoped scoped{"choose"};
  if (which == 0)
    throw Derived();
  if (which == 1)
    throw Other();
  if (which == 2)
    throw 7L;
  if (which == 3)
    throw "text";
  if (which == 4)
    throw std::out_of_range("far");
  std::printf("nothing\n");
}

static int inner(int which) {
  try {
    choose(which);
  } catch (Base &base) {
    std::printf("base %d\n", base.number);
    throw;
  } catch (Other other) {
    return other.number;
  }
  return 0;
}

static int outer(int which) {
  Scoped scoped{"outer"};
  try {
    return inner(which);
  } catch (const char *text) {
    return text[0];
  } catch (Derived &derived) {
    return derived.number * 10;
  } catch (const std::exception &exception) {
    return exception.what()[0];
  } catch (...) {
    return -1;
  }
}

int main() {
  for (int which = 0; which < 6; which++)
    std::printf("%d: %d\n", which, outer(which));
  try {
    try {
      throw 1;
    } catch (int number) {
      throw number + 1;
    }
  } catch (int number) {
    std::printf("%d\n", number);
  }
  return 0;
}
