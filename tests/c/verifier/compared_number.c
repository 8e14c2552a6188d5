// Arbitrary numbers that are only compared with constants: a few stand for all, so nothing is left out.
//@ run: explore
//@ verdict: safe
//@ exit: 0
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static int mode;

static void *choose(void *unused) {
  (void)unused;
  int number = __VERIFIER_nondet_int();
  if (number > 1000)
    mode = 1;
  else if (number < -1000)
    mode = 2;
  else if (__VERIFIER_nondet_int())
    mode = 3;
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, choose, NULL);
  switch (__VERIFIER_nondet_uchar()) {
  case 200:
    assert(mode < 4);
    break;
  case 17:
    pthread_join(other, NULL);
    assert(mode >= 0);
    break;
  }
  return 0;
}
