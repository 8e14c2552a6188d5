// The forms of SV-COMP: arbitrary values, assumptions, an error function.
//@ run: explore --int-range 0..20
//@ verdict: unsafe
//@ exit: 1
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
void reach_error(void) {}

static int limit, used;

static void *use(void *unused) {
  (void)unused;
  int amount = __VERIFIER_nondet_int();
  __VERIFIER_assume(amount > 0 && amount <= limit);
  used = used + amount;
  return NULL;
}

int main(void) {
  pthread_t other;
  limit = 10;
  pthread_create(&other, NULL, use, NULL);
  use(NULL);
  pthread_join(other, NULL);
  if (used > 15) {
    reach_error(); //~ assertion
    abort();
  }
  return 0;
}
