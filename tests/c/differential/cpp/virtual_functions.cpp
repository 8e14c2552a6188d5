// Virtual functions through pointers to the base.
#include <cstdio>

struct Shape {
    virtual int area() const = 0;
    virtual const char *name() const { return "shape"; }
    virtual ~Shape() = default;
};

struct Box final : Shape {
    int a, b;
    Box(int a, int b) : a(a), b(b) {}
    int area() const override { return a * b; }
    const char *name() const override { return "box"; }
};

struct Dot final : Shape {
    int area() const override { return 1; }
};

int main() {
    Box box(3, 4);
    Dot dot;
    const Shape *shapes[] = {&box, &dot};
    for (const Shape *s : shapes) {
        std::printf("%d %c\n", s->area(), s->name()[0]);
    }
    return 0;
}
