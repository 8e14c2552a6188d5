// Local arrays with initialisers start anew each time.
#include <stdio.h>

static int use(int bump) {
    int v[6] = {1, 2, 3};
    char text[] = "abc";
    v[5] += bump;
    text[0] = (char)(text[0] + bump);
    int sum = text[0];
    for (int i = 0; i < 6; i++) {
        sum += v[i];
    }
    return sum;
}

int main(void) {
    printf("%d %d %d\n", use(0), use(5), use(0));
    int zero[16] = {0};
    int sum = 0;
    for (int i = 0; i < 16; i++) {
        sum += zero[i];
    }
    printf("%d\n", sum);
    return 0;
}
