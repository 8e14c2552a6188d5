// Multiplication and mixing of unsigned words, as hashes do.
#include <stdio.h>

static unsigned fnv(const char *text) {
    unsigned hash = 2166136261u;
    while (*text) {
        hash ^= (unsigned char)*text++;
        hash *= 16777619u;
    }
    return hash;
}

static unsigned long long mix(unsigned long long x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 29;
    return x;
}

int main(void) {
    printf("%x %x %x\n", fnv(""), fnv("a"), fnv("raddle"));
    unsigned long long x = 1;
    for (int i = 0; i < 5; i++) {
        x = mix(x + (unsigned)i);
        printf("%llx\n", x);
    }
    return 0;
}
