// Arrays of structs, by index and by pointer.
#include <stdio.h>

struct account {
    int id;
    long balance;
};

static struct account *find(struct account *all, int n, int id) {
    for (struct account *a = all; a < all + n; a++) {
        if (a->id == id) {
            return a;
        }
    }
    return 0;
}

int main(void) {
    struct account all[4];
    for (int i = 0; i < 4; i++) {
        all[i].id = 10 + i;
        all[i].balance = 100L * i;
    }
    struct account *from = find(all, 4, 13), *to = find(all, 4, 11);
    from->balance -= 50;
    to->balance += 50;
    all[0] = *from;
    printf("%ld %ld %d %d\n", all[3].balance, all[1].balance, all[0].id, find(all, 4, 99) == 0);
    return 0;
}
