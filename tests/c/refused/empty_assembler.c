// Empty assembler is a barrier for the compiler, and does nothing.
//@ run: explore
//@ verdict: safe
//@ exit: 0
int main(void) {
  __asm__ volatile("" ::: "memory");
  return 0;
}
