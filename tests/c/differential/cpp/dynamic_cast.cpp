// Casts down, to the side and to the whole, of objects with one and with two bases.
#include <cstdio>

struct Animal {
  int legs = 4;
  virtual ~Animal() {}
};

struct Named {
  int name = 7;
  virtual int called() { return name; }
  virtual ~Named() {}
};

struct Dog : Animal, Named {
  int tail = 1;
  int called() override { return name + tail; }
};

struct Puppy : Dog {
  int age = 2;
};

struct Bird : Animal {};

static int tail(Animal *animal) {
  Dog *dog = dynamic_cast<Dog *>(animal);
  return dog ? dog->tail : -1;
}

int main() {
  Dog dog;
  Puppy puppy;
  Bird bird;
  Named named;
  std::printf("%d %d %d %d\n", tail(&dog), tail(&puppy), tail(&bird), tail(nullptr));
  Animal *animal = &puppy;
  Named *beside = dynamic_cast<Named *>(animal);
  std::printf("%d %d\n", beside == &puppy, beside->called());
  std::printf("%d\n", dynamic_cast<Puppy *>(beside)->age);
  std::printf("%d\n", dynamic_cast<void *>(beside) == &puppy);
  std::printf("%d\n", dynamic_cast<Animal *>(&named) == nullptr);
  std::printf("%d\n", dynamic_cast<Puppy *>(static_cast<Animal *>(&dog)) == nullptr);
}
