// A state machine with an enum, a switch and a table of strings.
#include <stdio.h>

enum state { START, NUMBER, WORD, STOP };

static enum state next(enum state s, char c) {
    switch (s) {
    case START:
        return c == 0 ? STOP : c >= '0' && c <= '9' ? NUMBER : c == ' ' ? START : WORD;
    case NUMBER:
    case WORD:
        return c == 0 ? STOP : c == ' ' ? START : s;
    case STOP:
        break;
    }
    return STOP;
}

int main(void) {
    const char *text = "ab 12  x9 7";
    int numbers = 0, words = 0;
    enum state s = START;
    for (const char *p = text; s != STOP; p++) {
        enum state t = next(s, *p);
        numbers += s != NUMBER && t == NUMBER;
        words += s != WORD && t == WORD;
        s = t;
    }
    printf("%d numbers, %d words\n", numbers, words);
    return 0;
}
