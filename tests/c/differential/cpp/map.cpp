// std::map: inserting, finding, erasing, going through in order.
#include <cstdio>
#include <map>

int main() {
    std::map<int, int> squares;
    int order[] = {5, 2, 8, 1, 3, 7};
    for (int key : order)
        squares[key] = key * key;
    squares.erase(5);
    squares.erase(1);
    for (auto &entry : squares)
        printf("%d %d\n", entry.first, entry.second);
    printf("%d %d\n", squares.count(5) != 0, squares.count(3) != 0);
    auto last = squares.end();
    --last;
    printf("%d\n", last->first);
    squares.erase(2);
    squares.erase(8);
    squares.erase(3);
    squares.erase(7);
    printf("%d\n", squares.empty());
}
