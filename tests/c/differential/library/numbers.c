// Numbers from texts.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    printf("%d %d %ld\n", atoi(" \t-42x"), atoi("x"), atol("+1234567890123"));
    const char *text = "0x1fz";
    char *end;
    printf("%ld %d\n", strtol(text, &end, 0), (int)(end - text));
    printf("%ld %d\n", strtol(text, &end, 10), (int)(end - text));
    printf("%ld %lu\n", strtol("-0777", NULL, 0), strtoul("zz", NULL, 36));
    text = "  +";
    printf("%ld %d\n", strtol(text, &end, 10), (int)(end - text));
    errno = 0;
    printf("%d %d\n", strtol("9223372036854775808", NULL, 10) == LONG_MAX, errno == ERANGE);
    errno = 0;
    printf("%d %d\n", strtol("-9223372036854775808", NULL, 10) == LONG_MIN, errno);
    return 0;
}
