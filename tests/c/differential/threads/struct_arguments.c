// Arguments and results in a struct of the creator.
#include <pthread.h>
#include <stdio.h>

struct job {
    int from, to;
    long sum;
};

static void *add_up(void *arg) {
    struct job *job = arg;
    for (int i = job->from; i < job->to; i++) {
        job->sum += i;
    }
    return job;
}

int main(void) {
    struct job jobs[2] = {{0, 5, 0}, {5, 10, 0}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, add_up, &jobs[i]);
    }
    long total = 0;
    for (int i = 0; i < 2; i++) {
        void *result;
        pthread_join(threads[i], &result);
        total += ((struct job *)result)->sum;
        printf("%d\n", result == &jobs[i]);
    }
    printf("%ld\n", total);
    return 0;
}
