/* Constructs of C that are seldom used. */
#define _GNU_SOURCE
#include <alloca.h>
#include <complex.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef int v4 __attribute__((vector_size(16)));
typedef int v8 __attribute__((vector_size(32)));
static v4 shared4;
static v8 shared8;
static __int128 big;
static long double ld;
static jmp_buf jb;
static volatile int x;
static _Thread_local int tl[10];
static double _Complex z;
static _Atomic __int128 a128;
static _Atomic(long double) ald;
static struct { unsigned a : 3, b : 17; signed c : 12; } bits;
static _Atomic struct { int a, b; } pair;
static _BitInt(77) bi;
static int ifoo_a(int i) {
  return i + 1;
}
static int ifoo_b(int i) {
  return i + 2;
}
static void *resolve(void) {
  return x > 100 ? ifoo_a : ifoo_b;
}
int ifoo(int) __attribute__((ifunc("resolve")));
static int machine(const char *p) {
  static void *op[] = {&&inc, &&dec, &&end};
  int acc = 0;
  goto *op[*p++ - '0'];
  inc: acc++;
  x++;
  goto *op[*p++ - '0'];
  dec: acc--;
  goto *op[*p++ - '0'];
  end: return acc;
}
static int vsum(int n, ...) {
  va_list l;
  va_start(l, n);
  int s = 0;
  while (n--) s += va_arg(l, int);
  va_end(l);
  return s;
}
static int deep(int n) {
  if (n == 0) longjmp(jb, 7);
  int v[n];
  memset(v, n, sizeof v);
  x += v[n / 2] & 1;
  char *a = alloca(n * 16);
  a[n] = 1;
  x += a[n];
  return deep(n - 1) + v[0];
}
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p) {
  for (int i = 0; i < 100; i++) {
    pthread_mutex_lock(&m);
    shared4 += (v4){1, 2, 3, i};
    shared8 = shared8 * 3 + 1;
    big = big * 7 + i;
    ld += 0.5L;
    z = z * I + 1;
    tl[i % 10] += i;
    bits.a++;
    bits.b += 3;
    bits.c -= 5;
    bi = bi * 3 + 1;
    int old;
    __asm__ volatile("lock xaddl %0, %1" : "=r"(old), "+m"(x) : "0"(1) : "memory");
    __asm__ volatile("" ::: "memory");
    x = machine("000112");
    x += ({ int q = vsum(3, i, 1, 2); q; });
    x += ifoo(i);
    pthread_mutex_unlock(&m);
    a128 += i;
  }
  return (void *)(long)tl[3];
}
int nested(int q) {
  switch (q) {
    case 1 ... 5: return 1;
    default: return 2;
  }
}
int main(void) {
  pthread_t t[3];
  long s = 0;
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 3; i++) {
    void *r;
    pthread_join(t[i], &r);
    s += (long)r;
  }
  int j = setjmp(jb);
  if (!j) deep(20);
  printf("%d %d %d %d %u ", shared4[0], shared4[1], shared8[7], (int)(big >> 3), (unsigned)(bi >> 40));
  printf("%Lf %f %f %ld %d ", ld, creal(z), cimag(z), s, j);
  printf("%d %u %u %d %d\n", nested(3), bits.a, bits.b, bits.c, (int)a128);
}
