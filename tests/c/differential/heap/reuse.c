// Memory that is freed and taken again is another object; free of nothing does nothing.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int sum = 0;
    for (int i = 0; i < 6; i++) {
        int *p = malloc(sizeof(int));
        *p = i;
        int *q = calloc(2, sizeof(int));
        q[1] = *p + q[0];
        sum += q[1] * 2;
        free(p);
        free(q);
    }
    free(NULL);
    int *none = NULL;
    none = realloc(none, sizeof *none);
    *none = sum;
    printf("%d\n", *none);
    free(none);
    return 0;
}
