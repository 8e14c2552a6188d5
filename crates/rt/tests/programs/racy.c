/* Threads read and write the same few variables without any synchronization, in all sizes, and call what is not instrumented. */
#include "abi.h"
static volatile uint8_t a;
static volatile uint16_t b;
static volatile uint32_t c;
static volatile uint64_t d[8];
static int rounds = 20000;
static void *mix(void *seed) {
  ENTER;
  uint64_t x = (uintptr_t)seed * 0x9e3779b97f4a7c15u + 1;
  for (int i = 0; BRANCH(i < rounds); i++) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    switch (x >> 60) {
    case 0: WRITE(a, (uint8_t)x); break;
    case 1: WRITE(b, (uint16_t)x); break;
    case 2: WRITE(c, (uint32_t)x); break;
    case 3: READ(a); break;
    case 4: READ(b); break;
    case 5: READ(c); break;
    case 6: ADD(c, 3u); break;
    case 7: ADD(d[x & 7], x); break;
    case 8: if ((x & 63) == 0) CALL(usleep(1)); break;
    case 9: if ((x & 255) == 0) CALL(sched_yield()); break;
    case 10: READ(d[x & 7]); break;
    case 11: WRITE(d[x & 7], x >> (x & 63)); break;
    default: WRITE(d[x & 7], READ(d[x >> 3 & 7]) + 1);
    }
  }
  LEAVE;
  return NULL;
}
int main(int argc, char **argv) {
  ENTER;
  int threads = argc > 1 ? atoi(argv[1]) : 4;
  if (argc > 2) rounds = atoi(argv[2]);
  pthread_t thread[64];
  for (int i = 0; i < threads; i++) __raddle_pthread_create(SITE, &thread[i], NULL, mix, (void *)(uintptr_t)(i + 1));
  for (int i = 0; i < threads; i++) __raddle_pthread_join(SITE, thread[i], NULL);
  LEAVE;
  return 0;
}
