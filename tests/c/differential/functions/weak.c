// Weak functions and variables that nobody defines are null; those of the C library are there.
#include <stdio.h>
#include <string.h>

void hook(int value) __attribute__((weak));
extern int setting __attribute__((weak));
extern size_t strlen(const char *text) __attribute__((weak));
__attribute__((weak)) int own(void) { return 5; }

int main(void) {
  if (hook)
    hook(1);
  printf("%d %d\n", hook == NULL, &setting == NULL);
  printf("%d\n", strlen ? (int)strlen("text") : -1);
  printf("%d\n", own());
  return 0;
}
