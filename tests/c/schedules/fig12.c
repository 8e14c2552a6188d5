//@ run: verify
//@ verdict: safe
// Fig. 12 of the safe-schedules paper: as Fig. 11, but the second thread may not go round without resetting
// the block.
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

extern void __VERIFIER_assume(int);

static int inode, busy, block;

static void *allocate(void *unused) {
  for (;;) {
    if (!inode) {
      busy = 1;
      inode = 1;
    }
    RADDLE_ATOMIC {
      __VERIFIER_assume(inode && busy);
      block = 1;
      assert(inode && busy);
    }
  }
  return unused;
}

static void *reset(void *unused) {
  for (;;) {
    RADDLE_ATOMIC {
      __VERIFIER_assume(!busy);
      block = 0;
    }
  }
  return unused;
}

static void *deallocate(void *unused) {
  for (;;) {
    RADDLE_ATOMIC {
      __VERIFIER_assume(inode == busy);
      inode = 0;
      busy = 0;
    }
  }
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, allocate, NULL);
  pthread_create(&threads[1], NULL, reset, NULL);
  pthread_create(&threads[2], NULL, deallocate, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
