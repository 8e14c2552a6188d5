// Eight bytes from the last element of an array on, of which four are behind its end.
//@ run: explore
//@ verdict: unsafe
//@ kind: memory
//@ exit: 1
int array[3];
int last = 2;

int main(void) {
  array[last - 1] = 1;
  return *(long *)(void *)&array[last] == 0; //~ memory
}
