// Bit-fields in an array of structs, passed and returned by value.
#include <stdio.h>

struct date {
    unsigned day : 5;
    unsigned month : 4;
    unsigned year : 12;
};

static struct date next_day(struct date d) {
    if (d.day < 30) {
        d.day++;
    } else {
        d.day = 1;
        d.month = d.month % 12 + 1;
        d.year += d.month == 1;
    }
    return d;
}

int main(void) {
    struct date days[3] = {{29, 1, 1999}, {30, 12, 1999}, {30, 6, 2001}};
    for (int i = 0; i < 3; i++) {
        days[i] = next_day(days[i]);
        printf("%d.%d.%d\n", days[i].day, days[i].month, days[i].year);
    }
    struct date d = next_day(next_day(days[0]));
    printf("%d.%d.%d\n", d.day, d.month, d.year);
    return 0;
}
