// The copy is longer than the place that it goes to.
//@ run: explore --clang-arg=-Wno-fortify-source
//@ verdict: unsafe
//@ exit: 1
#include <string.h>

struct packet {
  char name[4];
  int sum;
};

int main(void) {
  struct packet packet;
  char name[16] = "alice";
  memcpy(&packet, name, sizeof name); //~ memory
  return packet.name[0];
}
