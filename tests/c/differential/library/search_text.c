// Finding characters and texts in texts.
#include <stdio.h>
#include <string.h>

static long at(const char *text, const char *found) { return found ? found - text : -1; }

int main(void) {
    const char *text = "to be or not to be";
    printf("%zu %zu %zu\n", strlen(text), strnlen(text, 5), strnlen("abc", 9));
    printf("%ld %ld %ld\n", at(text, strchr(text, 'b')), at(text, strrchr(text, 'b')), at(text, strchr(text, 'z')));
    printf("%ld %ld\n", at(text, strchr(text, 0)), at(text, strrchr(text, 0)));
    printf("%ld %ld %ld\n", at(text, strstr(text, "not")), at(text, strstr(text, "nob")), at(text, strstr(text, "")));
    printf("%zu %zu\n", strspn(text, "ot "), strcspn(text, "rn"));
    printf("%ld %ld\n", at(text, strpbrk(text, "xyr")), at(text, strpbrk(text, "xyz")));
    printf("%ld %ld\n", at(text, memchr(text, 'n', 18)), at(text, memchr(text, 'n', 5)));
    return 0;
}
