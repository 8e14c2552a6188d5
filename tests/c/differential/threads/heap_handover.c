// Memory is allocated in one thread and freed in another.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct task {
    int input;
    int *output;
};

static void *work(void *arg) {
    struct task *task = arg;
    task->output = malloc(sizeof(int));
    *task->output = task->input * task->input;
    int *result = task->output;
    free(task);
    return result;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) {
        struct task *task = malloc(sizeof *task);
        *task = (struct task){i + 5, NULL};
        pthread_create(&t[i], NULL, work, task);
    }
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(t[i], &result);
        printf("%d\n", *(int *)result);
        free(result);
    }
    return 0;
}
