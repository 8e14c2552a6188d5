// std::list: both ends, the middle, and moving elements to another list.
#include <cstdio>
#include <list>

int main() {
    std::list<int> a{1, 2, 3}, b{7, 8};
    a.push_front(0);
    a.insert(++a.begin(), 9);
    a.remove(2);
    a.splice(a.begin(), b, b.begin());
    for (int each : a)
        printf("%d ", each);
    printf("| %d %d\n", (int)b.size(), b.front());
}
