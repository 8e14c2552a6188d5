/* Crashes in the middle of straight code, after accesses between which there is nothing else. */
#include <pthread.h>
#include <stddef.h>
#include <string.h>

struct node {
  int value;
  struct node *next;
};

static struct node last = {3, NULL}, *head = &last;
static int total, dividend = 17, divisor;

static void *null_pointer(void *unused) {
  struct node *at = head;
  total = at->value + at->next->value;
  return unused;
}

static void *division(void *unused) {
  total = dividend / divisor;
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread;
  pthread_create(&thread, NULL, argc > 1 && strcmp(argv[1], "null") == 0 ? null_pointer : division, NULL);
  pthread_join(thread, NULL);
  return total;
}
