// The usual way to clean up in C: jumps to the end.
#include <stdio.h>
#include <stdlib.h>

static int work(int fail_at) {
    int result = -1;
    int *a = malloc(sizeof *a);
    if (fail_at == 1) {
        goto free_a;
    }
    *a = 1;
    int *b = malloc(2 * sizeof *b);
    if (fail_at == 2) {
        goto free_b;
    }
    b[0] = 2;
    b[1] = *a + b[0];
    result = b[1];
free_b:
    free(b);
free_a:
    free(a);
    return result;
}

int main(void) {
    printf("%d %d %d\n", work(0), work(1), work(2));
    return 0;
}
