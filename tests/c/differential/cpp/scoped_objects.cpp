// Objects end in the reverse order of their creation, on every way out.
#include <cstdio>

struct Note {
    int id;
    explicit Note(int id) : id(id) { std::printf("+%d ", id); }
    ~Note() { std::printf("-%d ", id); }
};

static int leave(int how) {
    Note a(1);
    for (int i = 2;; i++) {
        Note b(i);
        if (how == 0) {
            return 10;
        }
        if (i == 3) {
            break;
        }
    }
    Note c(9);
    return 20;
}

int main() {
    int x = leave(0);
    std::printf("%d\n", x);
    x = leave(1);
    std::printf("%d\n", x);
    return 0;
}
