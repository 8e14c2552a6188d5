/* `longjmp` out of functions that library code called, and from there. */
#include "abi.h"
static jmp_buf buffer;
static int data[16] = {5, 2, 9};
static volatile int x;
static int compare(const void *a, const void *b) {
  ENTER;
  WRITE(x, READ(x) + 1);
  if (BRANCH(x % 7 == 0)) longjmp(buffer, 1);
  int result = *(const int *)a - *(const int *)b;
  LEAVE;
  return result;
}
static void *sort(void *unused) {
  ENTER;
  for (volatile int i = 0; i < 1; i++) {
    if (setjmp(buffer)) {
      if (__raddle_mode) __raddle_back(SITE, 0);
      WRITE(x, READ(x) + 1);
    } else {
      CALL(qsort(data, 16, sizeof *data, compare));
    }
  }
  WRITE(x, READ(x) + 1);
  LEAVE;
  return unused;
}
int main(void) {
  ENTER;
  pthread_t thread;
  for (int i = 0; i < 50; i++) {
    __raddle_pthread_create(SITE, &thread, NULL, sort, NULL);
    __raddle_pthread_join(SITE, thread, NULL);
    sort(NULL);
  }
  LEAVE;
  return 0;
}
