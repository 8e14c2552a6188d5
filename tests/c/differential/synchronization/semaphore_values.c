// Values of a semaphore, and attempts that do not wait.
#include <errno.h>
#include <semaphore.h>
#include <stdio.h>

int main(void) {
    sem_t s;
    int value;
    printf("%d\n", sem_init(&s, 0, 2));
    sem_getvalue(&s, &value);
    printf("%d\n", value);
    printf("%d", sem_trywait(&s));
    printf("%d\n", sem_trywait(&s));
    int r = sem_trywait(&s);
    printf("%d %d\n", r, errno == EAGAIN);
    sem_post(&s);
    sem_post(&s);
    sem_post(&s);
    sem_wait(&s);
    sem_getvalue(&s, &value);
    printf("%d\n", value);
    sem_destroy(&s);
    return 0;
}
