// call_once, with a flag that two threads come to.
#include <stdio.h>
#include <threads.h>

static once_flag flag = ONCE_FLAG_INIT;
static int table[3];

static void fill(void) {
    for (int i = 0; i < 3; i++) {
        table[i] += i + 1;
    }
}

static int work(void *arg) {
    call_once(&flag, fill);
    return table[(long)arg];
}

int main(void) {
    thrd_t t[2];
    int sum = 0;
    for (long i = 0; i < 2; i++) {
        thrd_create(&t[i], work, (void *)(i + 1));
    }
    for (int i = 0; i < 2; i++) {
        int r;
        thrd_join(t[i], &r);
        sum = 10 * sum + r;
    }
    printf("%d\n", sum);
    return 0;
}
