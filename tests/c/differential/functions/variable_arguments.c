// Functions with a variable number of arguments: of all sizes, more than there are registers, passed on, and copied.
#include <stdarg.h>
#include <stdio.h>

static long sum(const char *kinds, ...) {
    va_list arguments;
    long total = 0;
    va_start(arguments, kinds);
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'i': total += va_arg(arguments, int); break;
        case 'l': total += va_arg(arguments, long); break;
        case 'd': total += (long)(4 * va_arg(arguments, double)); break;
        case 'p': total += *va_arg(arguments, int *); break;
        }
    }
    va_end(arguments);
    return total;
}

static int most_of(int count, va_list arguments) {
    int most = 0;
    for (int i = 0; i < count; i++) {
        int next = va_arg(arguments, int);
        if (next > most) {
            most = next;
        }
    }
    return most;
}

static int twice(int count, ...) {
    va_list arguments, again;
    va_start(arguments, count);
    va_copy(again, arguments);
    int most = most_of(count, arguments);
    int first = va_arg(again, int);
    va_end(again);
    va_end(arguments);
    return 100 * most + first;
}

struct point {
    int x, y;
};

static int small(int count, ...) {
    va_list arguments;
    int total = 0;
    va_start(arguments, count);
    while (count-- > 0) {
        struct point at = va_arg(arguments, struct point);
        total += 10 * at.x + at.y;
    }
    va_end(arguments);
    return total;
}

static int nested(int depth, ...) {
    va_list arguments;
    va_start(arguments, depth);
    int given = va_arg(arguments, int);
    int deeper = depth > 0 ? nested(depth - 1, given + 1, 0) : 0;
    int after = va_arg(arguments, int);
    va_end(arguments);
    return given + deeper + (depth == 3 ? after : 0);
}

int main(void) {
    int number = 5;
    struct point a = {1, 2}, b = {3, 4};
    printf("%ld\n", sum(""));
    printf("%ld\n", sum("ildp", -1, 1L << 40, 2.25, &number));
    printf("%ld\n", sum("iiiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    printf("%ld\n", sum("dddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.5));
    printf("%d\n", twice(3, 4, 9, 2));
    printf("%d\n", small(2, a, b));
    for (int i = 0; i < 3; i++) {
        printf("%ld ", sum("ii", i, i * i));
    }
    printf("%d\n", nested(3, 1, 1000));
    return 0;
}
