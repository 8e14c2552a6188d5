// The sieve of Eratosthenes.
#include <stdbool.h>
#include <stdio.h>

enum { LIMIT = 30 };

int main(void) {
    bool composite[LIMIT] = {false};
    for (int i = 2; i * i < LIMIT; i++) {
        if (!composite[i]) {
            for (int k = i * i; k < LIMIT; k += i) {
                composite[k] = true;
            }
        }
    }
    int count = 0;
    for (int i = 2; i < LIMIT; i++) {
        if (!composite[i]) {
            printf("%d ", i);
            count++;
        }
    }
    printf("= %d\n", count);
    return 0;
}
