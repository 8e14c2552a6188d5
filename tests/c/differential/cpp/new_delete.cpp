// Objects on the heap, one and many.
#include <cstdio>

struct Node {
    int value;
    Node *next;
    Node(int v, Node *n) : value(v), next(n) {}
};

int main() {
    Node *list = nullptr;
    for (int i = 0; i < 4; i++) {
        list = new Node(i * i, list);
    }
    int sum = 0;
    while (list) {
        Node *next = list->next;
        sum = 10 * sum + list->value;
        delete list;
        list = next;
    }
    int *v = new int[3]{4, 5, 6};
    sum += v[2];
    delete[] v;
    std::printf("%d\n", sum);
    return 0;
}
