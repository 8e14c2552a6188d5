// `std::string` of both sizes: within the object and on the heap.
#include <cstdio>
#include <string>

int main() {
    std::string text = "hello";
    text += " world";
    std::printf("%d %d\n", (int)text.size(), (int)text.find("wor"));
    text.append(", and everything else");
    std::string copy = text.substr(6, 5);
    std::printf("%d %d %c\n", (int)text.size(), copy == "world", copy[4]);
    std::string number = std::to_string(-1234) + "x";
    std::printf("%d %c%c%c\n", (int)number.size(), number[0], number[1], number[5]);
    return 0;
}
