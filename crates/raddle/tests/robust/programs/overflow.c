/* Comes to the end of its stack. */
#include <stdio.h>
static volatile int x;
static int rec(int n) {
  volatile char b[1000];
  b[n % 1000] = n;
  x++;
  return rec(n + 1) + b[0];
}
int main(void) {
  return rec(0);
}
