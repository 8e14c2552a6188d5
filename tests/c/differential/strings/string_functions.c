// strlen, strcmp, strcpy, strncpy, strcat, strchr on local buffers.
#include <stdio.h>
#include <string.h>

static void show(const char *text) {
    while (*text) {
        putchar(*text++);
    }
    putchar('\n');
}

int main(void) {
    char a[16], b[16];
    strcpy(a, "thread");
    strncpy(b, a, sizeof b);
    printf("%zu %d %d\n", strlen(a), strcmp(a, b), b[15]);
    strcat(a, "ed");
    show(a);
    printf("%d %d\n", strcmp(a, b) > 0, strncmp(a, b, 6));
    strncpy(b, "wrap", 3);
    show(b);
    printf("%ld %d\n", (long)(strchr(a, 'e') - a), strchr(a, 'z') == NULL);
    printf("%d\n", strcmp("abc", "abd") < 0 && strcmp("b", "abc") > 0);
    return 0;
}
