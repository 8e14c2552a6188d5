// Comparing texts and bytes: only the sign is defined.
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
    printf("%d %d %d\n", sign(strcmp("abc", "abd")), sign(strcmp("abc", "ab")), sign(strcmp("", "")));
    printf("%d %d\n", sign(strcmp("\xff", "a")), sign(strncmp("abcd", "abce", 3)));
    printf("%d %d\n", sign(strcasecmp("HeLLo", "hEllO")), sign(strncasecmp("abX", "ABY", 3)));
    int a[2] = {1, 2}, b[2] = {1, 3};
    printf("%d %d\n", sign(memcmp(a, b, sizeof a)), sign(memcmp(a, b, sizeof *a)));
    return 0;
}
