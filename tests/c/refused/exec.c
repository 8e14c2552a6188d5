// Another program.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <unistd.h>

int main(void) {
  execl("/bin/true", "true", (char *)NULL);
  return 1;
}
