// Copying and joining texts.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(const char *text, int size) {
    for (int i = 0; i < size; i++) {
        printf("%d ", text[i]);
    }
    putchar('\n');
}

int main(void) {
    char buffer[8] = "xxxxxxx";
    strcpy(buffer, "ab");
    strcat(buffer, "cd");
    show(buffer, 8);
    strncpy(buffer, "zyx", 6);
    show(buffer, 8);
    strncat(buffer, "wvu", 2);
    show(buffer, 8);
    printf("%d\n", (int)(stpcpy(buffer, "pq") - buffer));
    char *copy = strdup(buffer), *part = strndup("hello", 3);
    copy[0] = 'r';
    printf("%d %d %zu\n", copy[0], buffer[0], strlen(copy));
    show(part, 4);
    free(copy);
    free(part);
    return 0;
}
