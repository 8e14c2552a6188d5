// Calls through pointers: variables, tables, members, results.
#include <stdio.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

typedef int (*operation)(int, int);

static const operation table[] = {add, sub, mul};

static operation choose(char c) {
    switch (c) {
    case '+':
        return add;
    case '-':
        return &sub;
    default:
        return 0;
    }
}

struct named {
    char name;
    operation op;
};

int main(void) {
    for (int i = 0; i < 3; i++) {
        printf("%d ", table[i](7, 3));
    }
    operation op = choose('+');
    printf("%d %d %d\n", op(1, 2), (*choose('-'))(1, 2), choose('x') == 0);
    struct named n[2] = {{'m', mul}, {'a', add}};
    for (int i = 0; i < 2; i++) {
        printf("%c=%d ", n[i].name, n[i].op(6, 7));
    }
    printf("%d\n", n[1].op == add);
    return 0;
}
