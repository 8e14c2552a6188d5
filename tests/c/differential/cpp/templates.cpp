// Templates of functions and classes, with values and types.
#include <cstdio>

template <typename T> static T largest(T a, T b) { return a < b ? b : a; }

template <typename T, int N> class Stack {
    T items[N];
    int size = 0;

public:
    bool push(T item) {
        if (size == N) {
            return false;
        }
        items[size++] = item;
        return true;
    }
    T pop() { return items[--size]; }
    int count() const { return size; }
};

int main() {
    std::printf("%d %ld\n", largest(3, 7), largest(-3L, -7L));
    Stack<short, 2> s;
    bool first = s.push(5), second = s.push(6), third = s.push(7);
    std::printf("%d%d%d\n", first, second, third);
    int top = s.pop();
    std::printf("%d %d\n", top, s.count());
    return 0;
}
