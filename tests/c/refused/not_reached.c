// A function that nobody knows, and no run calls.
//@ run: explore
//@ verdict: safe
//@ exit: 0
extern void report_error(void);

static int errors;

int main(void) {
  if (errors != 0)
    report_error();
  return 0;
}
