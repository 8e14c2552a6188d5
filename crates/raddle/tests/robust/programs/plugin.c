/* A library for loads.c. */
int counter;
static __thread int mine;
int bump(int by) {
  mine++;
  for (int i = 0; i < 100; i++) counter += by;
  return counter;
}
__attribute__((constructor)) static void up(void) {
  counter = 1000;
}
__attribute__((destructor)) static void down(void) {
  counter = -1;
}
