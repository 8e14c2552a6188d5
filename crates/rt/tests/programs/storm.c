/* Signals strike all the time. Handlers run instrumented code; some leave by `siglongjmp`. */
#include "abi.h"
static volatile long handled[64], x, jumps;
static volatile sig_atomic_t may_jump;
static sigjmp_buf buffer;
static pthread_t first, other;
static void on_alarm(int signal) {
  ENTER;
  WRITE(handled[1], handled[1] + 1);
  LEAVE;
}
static void on_jump(int signal) {
  ENTER;
  WRITE(handled[2], handled[2] + 1);
  if (may_jump && pthread_equal(pthread_self(), first)) {
    may_jump = 0;
    siglongjmp(buffer, 1);
  }
  LEAVE;
}
static void *work(void *unused) {
  ENTER;
  for (int i = 0; BRANCH(i < 300000); i++) {
    WRITE(x, READ(x) + 1);
    /* Not often: each takes long where other processes wait for a processor, recorded or not. */
    if ((i & 8191) == 0) CALL(sched_yield());
  }
  LEAVE;
  return unused;
}
int main(void) {
  ENTER;
  first = pthread_self();
  struct sigaction action = {};
  action.sa_handler = on_alarm;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, NULL);
  action.sa_handler = on_jump;
  sigaction(SIGVTALRM, &action, NULL);
  struct itimerval often = {{0, 100}, {0, 100}};
  setitimer(ITIMER_REAL, &often, NULL);
  setitimer(ITIMER_VIRTUAL, &often, NULL);
  __raddle_pthread_create(SITE, &other, NULL, work, NULL);
  for (int i = 0; i < 200; i++) {
    if (sigsetjmp(buffer, 1)) {
      jumps++;
      continue;
    }
    may_jump = 1;
    for (int k = 0; k < 3000; k++) WRITE(x, READ(x) + 1);
    may_jump = 0;
  }
  may_jump = 0;
  struct itimerval never = {};
  setitimer(ITIMER_VIRTUAL, &never, NULL);
  __raddle_pthread_join(SITE, other, NULL);
  setitimer(ITIMER_REAL, &never, NULL);
  printf("%ld jumps, %ld handled\n", jumps, handled[1] + handled[2]);
  LEAVE;
  return 0;
}
