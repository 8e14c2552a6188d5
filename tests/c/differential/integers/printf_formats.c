// The conversions of printf on one set of values.
#include <stdio.h>

int main(void) {
    int i = -42;
    unsigned u = 3000000000u;
    long l = -4200000000L;
    unsigned long ul = 0xfeedfacecafebeefUL;
    long long ll = -1;
    unsigned long long ull = 1ULL << 63;
    printf("%d|%u|%x|%c\n", i, u, u, 'x');
    printf("%ld|%lu|%lx\n", l, ul, ul);
    printf("%lld|%llu\n", ll, ull);
    printf("%hd|%hhd|%zu\n", (short)-7, (signed char)-8, sizeof(long));
    printf("%s|%%|%s\n", "first", "");
    printf("no arguments\n");
    puts("a line");
    putchar('c');
    putchar(10);
    return 0;
}
