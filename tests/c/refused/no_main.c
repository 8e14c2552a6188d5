// There is nothing to start with.
//@ run: explore
//@ exit: 2
int helper(void) { return 1; }
