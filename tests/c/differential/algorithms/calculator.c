// An expression is parsed by recursive descent.
#include <stdio.h>

static const char *at;
static int sum(void);

static int atom(void) {
    if (*at == '(') {
        at++;
        int value = sum();
        at++;
        return value;
    }
    if (*at == '-') {
        at++;
        return -atom();
    }
    int value = 0;
    while (*at >= '0' && *at <= '9') {
        value = 10 * value + (*at++ - '0');
    }
    return value;
}

static int product(void) {
    int value = atom();
    while (*at == '*' || *at == '/') {
        value = *at++ == '*' ? value * atom() : value / atom();
    }
    return value;
}

static int sum(void) {
    int value = product();
    while (*at == '+' || *at == '-') {
        value = *at++ == '+' ? value + product() : value - product();
    }
    return value;
}

static int evaluate(const char *text) {
    at = text;
    return sum();
}

int main(void) {
    printf("%d ", evaluate("1+2*3"));
    printf("%d ", evaluate("(1+2)*-3"));
    printf("%d\n", evaluate("100/(7-2)/3-(4-(2-9))"));
    return 0;
}
