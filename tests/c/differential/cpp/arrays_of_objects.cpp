// new[] of a number that is known only when the program runs.
#include <cstdio>

struct Item {
    int a, b;
    Item() : a(3), b(4) {}
};

static int sum(int count) {
    Item *items = new Item[count];
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += items[i].a * items[i].b;
    delete[] items;
    return sum;
}

int main() { printf("%d %d\n", sum(2), sum(5)); }
