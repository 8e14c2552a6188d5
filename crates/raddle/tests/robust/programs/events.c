/* A loop over events of signals, timers and other threads; a timer that starts threads. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
static volatile int ticks, events;
static int ev;
static void expired(union sigval v) {
  ticks += v.sival_int;
}
static void *producer(void *p) {
  for (int i = 0; i < 10; i++) {
    uint64_t one = 1;
    write(ev, &one, 8);
    usleep(200);
  }
  return p;
}
int main(void) {
  sigset_t s;
  sigemptyset(&s);
  sigaddset(&s, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &s, 0);
  int sf = signalfd(-1, &s, 0), tf = timerfd_create(CLOCK_MONOTONIC, 0), ep = epoll_create1(0);
  ev = eventfd(0, EFD_SEMAPHORE);
  struct itimerspec ts = {{0, 1000000}, {0, 1000000}};
  timerfd_settime(tf, 0, &ts, 0);
  int fds[] = {sf, tf, ev};
  for (int i = 0; i < 3; i++) {
    struct epoll_event e = {.events = EPOLLIN, .data.fd = fds[i]};
    epoll_ctl(ep, EPOLL_CTL_ADD, fds[i], &e);
  }
  timer_t tm;
  struct sigevent se = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expired, .sigev_value.sival_int = 1};
  timer_create(CLOCK_MONOTONIC, &se, &tm);
  timer_settime(tm, 0, &ts, 0);
  pthread_t t;
  pthread_create(&t, 0, producer, 0);
  int sig = 0, tim = 0, evn = 0;
  kill(getpid(), SIGUSR1);
  while (!sig || tim < 3 || evn < 10 || ticks < 2) {
    struct epoll_event e[3];
    int n = epoll_wait(ep, e, 3, 100);
    for (int i = 0; i < n; i++) {
      char b[200];
      read(e[i].data.fd, b, sizeof b);
      events++;
      if (e[i].data.fd == sf) sig++;
      if (e[i].data.fd == tf) tim++;
      if (e[i].data.fd == ev) evn++;
    }
  }
  timer_delete(tm);
  pthread_join(t, 0);
  printf("%d %d %d\n", sig, tim >= 3, evn);
  return 0;
}
