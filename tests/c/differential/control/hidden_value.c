// Empty assembler that hides a value from the compiler, and changes nothing.
#include <stdio.h>

int main(void) {
  int value = 3;
  __asm__ volatile("" : "+r"(value));
  int *pointer = &value;
  __asm__("" : "=r"(pointer) : "0"(pointer));
  *pointer += 4;
  __asm__ volatile("" : : "r"(value) : "memory");
  printf("%d\n", value);
  return 0;
}
