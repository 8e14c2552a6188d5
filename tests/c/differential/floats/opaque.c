// Numbers that are only stored, passed on and printed elsewhere.
#include <pthread.h>
#include <stdio.h>

struct sample {
    double value;
    float weight;
    int id;
};

static struct sample kept[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct sample scaled(struct sample from, double by) {
    struct sample made = {from.value * by, from.weight / 2, from.id};
    return made;
}

static void *work(void *given) {
    struct sample *from = given;
    pthread_mutex_lock(&lock);
    kept[from->id] = scaled(*from, 2.5);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    struct sample given[2] = {{1.5, 0.5f, 0}, {-4.0, 3.0f, 1}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, work, &given[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    printf("%d %d %d\n", (int)(kept[0].value * 100), (int)(kept[1].value * 100), (int)(kept[1].weight * 100));
    return 0;
}
