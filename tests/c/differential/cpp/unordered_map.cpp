// std::unordered_map: more elements than the first buckets are for. The order is nobody's business.
#include <cstdio>
#include <unordered_map>

int main() {
    std::unordered_map<int, int> table;
    for (int key = 0; key < 16; key++)
        table[key * 7] = key;
    table.erase(14);
    int sum = 0;
    for (auto &entry : table)
        sum += entry.first + entry.second;
    printf("%d %d %d\n", sum, (int)table.size(), table.at(21));
    printf("%d %d\n", table.count(14) != 0, table.count(28) != 0);
}
