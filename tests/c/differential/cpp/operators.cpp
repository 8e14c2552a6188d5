// Operators on a small class of values, and conversions.
#include <cstdio>

struct Fraction {
    long top, bottom;
    Fraction(long t, long b = 1) : top(t), bottom(b) {}
    Fraction operator+(const Fraction &o) const { return {top * o.bottom + o.top * bottom, bottom * o.bottom}; }
    Fraction operator*(const Fraction &o) const { return {top * o.top, bottom * o.bottom}; }
    bool operator<(const Fraction &o) const { return top * o.bottom < o.top * bottom; }
    explicit operator bool() const { return top != 0; }
    long operator[](int i) const { return i ? bottom : top; }
};

int main() {
    Fraction half(1, 2), third(1, 3);
    Fraction sum = half + third * 2;
    std::printf("%ld/%ld %d %d\n", sum[0], sum[1], half < third, static_cast<bool>(Fraction(0)));
    return 0;
}
