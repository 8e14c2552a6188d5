// Three stages, connected by semaphores.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

struct stage {
    sem_t full, empty;
    int value;
};

static struct stage stages[2];

static void put(struct stage *s, int x) {
    sem_wait(&s->empty);
    s->value = x;
    sem_post(&s->full);
}

static int get(struct stage *s) {
    sem_wait(&s->full);
    int x = s->value;
    sem_post(&s->empty);
    return x;
}

static void *source(void *arg) {
    (void)arg;
    for (int i = 1; i <= 3; i++) {
        put(&stages[0], i);
    }
    return NULL;
}

static void *square(void *arg) {
    (void)arg;
    for (int i = 0; i < 3; i++) {
        int x = get(&stages[0]);
        put(&stages[1], x * x);
    }
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        sem_init(&stages[i].full, 0, 0);
        sem_init(&stages[i].empty, 0, 1);
    }
    pthread_t t[2];
    pthread_create(&t[0], NULL, source, NULL);
    pthread_create(&t[1], NULL, square, NULL);
    for (int i = 0; i < 3; i++) {
        printf("%d\n", get(&stages[1]));
    }
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
