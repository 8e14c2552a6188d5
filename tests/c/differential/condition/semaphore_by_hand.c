// A counting semaphore made of a mutex and a condition variable.
#include <pthread.h>
#include <stdio.h>

struct semaphore {
    pthread_mutex_t lock;
    pthread_cond_t positive;
    int count;
};

static struct semaphore slots = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 1};
static int inside, most, visits;

static void down(struct semaphore *s) {
    pthread_mutex_lock(&s->lock);
    while (s->count == 0) {
        pthread_cond_wait(&s->positive, &s->lock);
    }
    s->count--;
    pthread_mutex_unlock(&s->lock);
}

static void up(struct semaphore *s) {
    pthread_mutex_lock(&s->lock);
    s->count++;
    pthread_cond_signal(&s->positive);
    pthread_mutex_unlock(&s->lock);
}

static void *visit(void *arg) {
    (void)arg;
    down(&slots);
    inside++;
    most = inside > most ? inside : most;
    visits++;
    inside--;
    up(&slots);
    return NULL;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&t[i], NULL, visit, NULL);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], NULL);
    }
    printf("%d %d %d\n", inside, most, visits);
    return 0;
}
