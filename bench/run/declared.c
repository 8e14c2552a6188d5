/* Fig. 11 of the safe-schedules paper: the file system with its synchronization declared as assumes; with -DUSEFUL Fig. 12, where the
   second thread may not go round without resetting the block. */
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
    raddle_progress();
  }
  return unused;
}

static void *reset(void *unused) {
  for (;;) {
#ifndef USEFUL
    if (!busy)
#endif
    {
      RADDLE_ATOMIC {
        __VERIFIER_assume(!busy);
        block = 0;
      }
      raddle_progress();
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
    raddle_progress();
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
