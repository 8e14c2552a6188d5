// Inline assembler.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
static int read_flags(void) {
  int flags;
  __asm__ volatile("pushfq; popq %q0" : "=r"(flags));
  return flags;
}

int main(void) { return read_flags(); }
