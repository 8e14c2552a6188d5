// What clang does not accept.
//@ run: explore
//@ exit: 2
int main(void) { return missing; }
