// Constructors, destructors, members, references.
#include <cstdio>

static int alive;

class Counter {
public:
    explicit Counter(int start) : value(start) { ++alive; }
    Counter(const Counter &other) : value(other.value + 100) { ++alive; }
    ~Counter() { --alive; }
    Counter &operator+=(int by) {
        value += by;
        return *this;
    }
    int get() const { return value; }

private:
    int value;
};

static int use(Counter c) { return (c += 1).get(); }

int main() {
    Counter a(5);
    {
        Counter b = a;
        b += 2;
        std::printf("%d %d\n", b.get(), alive);
    }
    int r = use(a);
    std::printf("%d %d %d\n", r, a.get(), alive);
    return 0;
}
