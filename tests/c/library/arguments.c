// The program is run without arguments.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv, char **environment) {
  int count = argc > 1 ? atoi(argv[1]) : 2;
  assert(argc == 1 && count == 2);
  assert(argv[0] != NULL && argv[0][0] != '\0' && argv[argc] == NULL);
  argv[0][0] = 'x';
  for (int i = 1; i < argc; i++) assert(0);
  assert(environment[0] == NULL);
  return 0;
}
