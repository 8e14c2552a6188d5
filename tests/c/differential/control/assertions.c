// Assertions that hold do nothing, and static ones leave no trace.
#include <assert.h>
#include <stdio.h>

static int checked(int x) {
    assert(x > 0);
    assert(x < 100 && "small");
    return x * 2;
}

int main(void) {
    _Static_assert(sizeof(short) == 2, "short");
    int sum = 0;
    for (int i = 1; i < 5; i++) {
        sum += checked(i);
    }
    assert(sum == 20);
    printf("%d\n", sum);
    return 0;
}
