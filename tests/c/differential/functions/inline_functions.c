// Inline functions, and macros with arguments.
#include <stdio.h>

#define SQUARE(x) ((x) * (x))
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define SWAP(type, a, b) do { type t = (a); (a) = (b); (b) = t; } while (0)

static inline int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
static inline __attribute__((always_inline)) unsigned half(unsigned x) { return x / 2; }

int main(void) {
    int i = 3;
    int most = MAX(i++, 2);
    printf("%d %d %d\n", SQUARE(i + 1), most, i);
    int a = 1, b = 2;
    SWAP(int, a, b);
    printf("%d %d\n", a, b);
    printf("%d %d %d %u\n", clamp(-5, 0, 10), clamp(5, 0, 10), clamp(50, 0, 10), half(9));
    return 0;
}
