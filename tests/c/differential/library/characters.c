// Kinds of characters, through the tables of the headers and through functions.
#include <ctype.h>
#include <stdio.h>

int main(void) {
    unsigned sums[12] = {0};
    for (int c = 0; c < 256; c += 3) {
        sums[0] += c * !!isdigit(c);
        sums[1] += c * !!isalpha(c);
        sums[2] += c * !!isalnum(c);
        sums[3] += c * !!isspace(c);
        sums[4] += c * !!isupper(c);
        sums[5] += c * !!islower(c);
        sums[6] += c * !!isxdigit(c);
        sums[7] += c * !!ispunct(c);
        sums[8] += c * !!isprint(c);
        sums[9] += c * !!iscntrl(c);
        sums[10] += (c + 1) * toupper(c);
        sums[11] += (c + 1) * tolower(c);
    }
    for (int i = 0; i < 12; i++) {
        printf("%u\n", sums[i]);
    }
    int (*function)(int) = isalpha;
    printf("%d %d %d\n", !!function('x'), !!(isdigit)('7'), (toupper)('q'));
    return 0;
}
