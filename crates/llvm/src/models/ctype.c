/* Kinds of characters, in the locale "C". The tables are what the headers of glibc look into: from -128 to 255. */
#include <stdint.h>

#define UPPER 0x100
#define LOWER 0x200
#define ALPHA 0x400
#define DIGIT 0x800
#define HEX 0x1000
#define SPACE 0x2000
#define PRINT 0x4000
#define GRAPH 0x8000
#define BLANK 0x01
#define CONTROL 0x02
#define PUNCTUATION 0x04
#define ALNUM 0x08

#define SHOWN (PRINT | GRAPH)
#define AT(c) [128 + (c)]
#define FROM(first, last) [128 + (first)... 128 + (last)]

static const uint16_t kinds[384] = {
    FROM(0x00, 0x08) = CONTROL,
    AT('\t') = CONTROL | SPACE | BLANK,
    FROM('\n', '\r') = CONTROL | SPACE,
    FROM(0x0e, 0x1f) = CONTROL,
    AT(' ') = SPACE | PRINT | BLANK,
    FROM('!', '/') = SHOWN | PUNCTUATION,
    FROM('0', '9') = SHOWN | DIGIT | HEX | ALNUM,
    FROM(':', '@') = SHOWN | PUNCTUATION,
    FROM('A', 'F') = SHOWN | UPPER | ALPHA | HEX | ALNUM,
    FROM('G', 'Z') = SHOWN | UPPER | ALPHA | ALNUM,
    FROM('[', '`') = SHOWN | PUNCTUATION,
    FROM('a', 'f') = SHOWN | LOWER | ALPHA | HEX | ALNUM,
    FROM('g', 'z') = SHOWN | LOWER | ALPHA | ALNUM,
    FROM('{', '~') = SHOWN | PUNCTUATION,
    AT(0x7f) = CONTROL,
};

#define SAME4(c) c, c + 1, c + 2, c + 3
#define SAME16(c) SAME4(c), SAME4(c + 4), SAME4(c + 8), SAME4(c + 12)
#define SAME64(c) SAME16(c), SAME16(c + 16), SAME16(c + 32), SAME16(c + 48)
#define LETTERS(c) SAME16(c), SAME4(c + 16), SAME4(c + 20), c + 24, c + 25

static const int32_t to_lower[384] = {
    SAME64(128),   SAME16(192),  SAME16(208),  SAME16(224),  SAME4(240), SAME4(244), SAME4(248), 252, 253, 254, -1,
    SAME64(0),     '@',          LETTERS('a'), SAME4('['),   '_',        '`',
    LETTERS('a'),  SAME4('{'),   0x7f,         SAME64(128),  SAME64(192),
};

static const int32_t to_upper[384] = {
    SAME64(128),   SAME16(192),  SAME16(208),  SAME16(224),  SAME4(240), SAME4(244), SAME4(248), 252, 253, 254, -1,
    SAME64(0),     '@',          LETTERS('A'), SAME4('['),   '_',        '`',
    LETTERS('A'),  SAME4('{'),   0x7f,         SAME64(128),  SAME64(192),
};

static const uint16_t *const kinds_from_zero = kinds + 128;
static const int32_t *const to_lower_from_zero = to_lower + 128;
static const int32_t *const to_upper_from_zero = to_upper + 128;

const uint16_t **__ctype_b_loc(void) { return (const uint16_t **)&kinds_from_zero; }
const int32_t **__ctype_tolower_loc(void) { return (const int32_t **)&to_lower_from_zero; }
const int32_t **__ctype_toupper_loc(void) { return (const int32_t **)&to_upper_from_zero; }

static int between(int c, int first, int last) { return first <= c && c <= last; }

int isdigit(int c) { return between(c, '0', '9'); }
int isupper(int c) { return between(c, 'A', 'Z'); }
int islower(int c) { return between(c, 'a', 'z'); }
int isalpha(int c) { return between(c | 0x20, 'a', 'z'); }
int isalnum(int c) { return isdigit(c) || isalpha(c); }
int isxdigit(int c) { return isdigit(c) || between(c | 0x20, 'a', 'f'); }
int isspace(int c) { return c == ' ' || between(c, '\t', '\r'); }
int isblank(int c) { return c == ' ' || c == '\t'; }
int isprint(int c) { return between(c, 0x20, 0x7e); }
int isgraph(int c) { return between(c, 0x21, 0x7e); }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int iscntrl(int c) { return between(c, 0, 0x1f) || c == 0x7f; }
int isascii(int c) { return between(c, 0, 0x7f); }
int tolower(int c) { return isupper(c) ? c + ('a' - 'A') : c; }
int toupper(int c) { return islower(c) ? c - ('a' - 'A') : c; }
