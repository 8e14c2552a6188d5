// Static locals live as long as the program, one for each function.
#include <stdio.h>

static int counter(void) {
    static int count = 10;
    return count++;
}

static int other(int add) {
    static int count;
    static int *p = &count;
    *p += add;
    return count;
}

static const char *name(int i) {
    static const char *const names[] = {"zero", "one", "two"};
    return names[i];
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        sum += counter();
        other(i);
    }
    printf("%d %d %d\n", sum, counter(), other(0));
    printf("%d\n", name(0)[0] == 'z' && name(1)[1] == 'n');
    return 0;
}
