// The index is checked, and changed by another thread before it is used.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>

static int stack[2];
static int top;

static void *push(void *unused) {
  (void)unused;
  if (top < 2) {
    stack[top] = 1; //~ memory
    top++;
  }
  return NULL;
}

int main(void) {
  pthread_t first, second;
  top = 1;
  pthread_create(&first, NULL, push, NULL);
  pthread_create(&second, NULL, push, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
