// An atomic section that begins on one of two ways only.
//@ run: explore
//@ exit: 2
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
int shared;

int main(void) {
  if (__VERIFIER_nondet_int() > 0) {
    __VERIFIER_atomic_begin();
  }
  shared = 1;
  __VERIFIER_atomic_end();
  return 0;
}
