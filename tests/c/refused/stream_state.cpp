// The state of a stream of the library is looked at.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <iostream>

int main() {
  std::cout.width(8);
  std::cout << 3 << std::endl;
  return 0;
}
