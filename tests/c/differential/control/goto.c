// Jumps forwards, backwards, and into the end of a function.
#include <stdio.h>

static int parse(const char *text) {
    int value = 0, state = 0;
again:
    switch (*text) {
    case '-':
        if (state) {
            goto bad;
        }
        state = -1;
        break;
    case '0' ... '9':
        value = 10 * value + (*text - '0');
        if (!state) {
            state = 1;
        }
        break;
    case 0:
        goto done;
    default:
        goto bad;
    }
    text++;
    goto again;
done:
    return state * value;
bad:
    return -999;
}

int main(void) {
    printf("%d %d %d %d\n", parse("123"), parse("-45"), parse("4x"), parse("4-"));
    return 0;
}
