// What goes wrong in a library function is reported where it is called.
//@ run: explore
//@ verdict: unsafe
//@ kind: memory
//@ exit: 1
#include <string.h>

static char name[4];

int main(void) {
    strcpy(name, "four"); //~ memory
    return 0;
}
