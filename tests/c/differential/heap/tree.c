// A binary search tree.
#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key, count;
    struct tree *left, *right;
};

static struct tree *insert(struct tree *t, int key) {
    if (!t) {
        t = calloc(1, sizeof *t);
        t->key = key;
    }
    if (key < t->key) {
        t->left = insert(t->left, key);
    } else if (key > t->key) {
        t->right = insert(t->right, key);
    } else {
        t->count++;
    }
    return t;
}

static int depth(const struct tree *t) {
    if (!t) {
        return 0;
    }
    int l = depth(t->left), r = depth(t->right);
    return 1 + (l > r ? l : r);
}

static void drain(struct tree *t) {
    if (t) {
        drain(t->left);
        printf("%d*%d ", t->key, t->count);
        drain(t->right);
        free(t);
    }
}

int main(void) {
    struct tree *root = 0;
    int keys[] = {5, 2, 8, 2, 9, 5, 1, 5};
    for (int i = 0; i < 8; i++) {
        root = insert(root, keys[i]);
    }
    printf("%d\n", depth(root));
    drain(root);
    putchar('\n');
    return 0;
}
