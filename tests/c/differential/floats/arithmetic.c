// Sums, products and quotients of both sizes, with their bits.
#include <stdio.h>
#include <string.h>

static unsigned long wide(double number) {
    unsigned long bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static unsigned narrow(float number) {
    unsigned bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static const double numbers[] = {0.0, -0.0, 1.0, -1.5, 0.1, 1e300, -1e-300, 5e-324, 3.0};

int main(void) {
    int count = sizeof numbers / sizeof *numbers;
    for (int i = 0; i < count; i++) {
        for (int j = i; j < count; j += 3) {
            double a = numbers[i], b = numbers[j];
            printf("%lx %lx %lx %lx\n", wide(a + b), wide(a - b), wide(a * b), wide(b ? a / b : 0));
        }
    }
    float x = 0.1f, y = 3.0f;
    printf("%x %x %x %x %x\n", narrow(x + y), narrow(x - y), narrow(x * y), narrow(x / y), narrow(-x));
    double total = 0;
    for (int i = 1; i <= 10; i++) {
        total += 1.0 / i;
    }
    printf("%lx %d\n", wide(total), (int)(total * 1000));
    return 0;
}
