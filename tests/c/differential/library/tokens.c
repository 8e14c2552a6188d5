// Cutting a text into words, with and without a place of one's own for the rest.
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[] = " one, two;three ";
    for (char *word = strtok(line, " ,;"); word; word = strtok(NULL, " ,;")) {
        printf("%d %zu\n", word[0], strlen(word));
    }
    char outer[] = "a=1&b=22";
    char *rest, *inner;
    for (char *pair = strtok_r(outer, "&", &rest); pair; pair = strtok_r(NULL, "&", &rest)) {
        char *key = strtok_r(pair, "=", &inner);
        char *value = strtok_r(NULL, "=", &inner);
        printf("%c %zu\n", key[0], strlen(value));
    }
    return 0;
}
