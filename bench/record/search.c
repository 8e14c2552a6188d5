/* The shape of pfscan: one thread hands out texts, and others search them, in buffers of their own. */
#include <pthread.h>
#include <stdio.h>

#define WORKERS 3
#define SIZE 4
#define BYTES 4096

static int texts[SIZE];
static int first, count, total;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;

static void *hand_out(void *unused) {
  for (int text = 0; text < TEXTS + WORKERS; text++) {
    pthread_mutex_lock(&mutex);
    while (count == SIZE)
      pthread_cond_wait(&not_full, &mutex);
    texts[(first + count) % SIZE] = text < TEXTS ? text : -1;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

static int take(void) {
  pthread_mutex_lock(&mutex);
  while (count == 0)
    pthread_cond_wait(&not_empty, &mutex);
  int text = texts[first];
  first = (first + 1) % SIZE;
  count--;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&mutex);
  return text;
}

static void *search(void *unused) {
  unsigned char text[BYTES];
  for (;;) {
    int number = take();
    if (number < 0)
      return unused;
    unsigned state = (unsigned)number + 1;
    for (int at = 0; at < BYTES; at++) {
      state = state * 1664525u + 1013904223u;
      text[at] = 'a' + (state >> 24) % 8;
    }
    int found = 0;
    for (int at = 0; at + 4 <= BYTES; at++)
      found += text[at] == 'b' && text[at + 1] == 'e' && text[at + 2] == 'a' && text[at + 3] == 'd';
    pthread_mutex_lock(&mutex);
    total += found;
    pthread_mutex_unlock(&mutex);
  }
}

int main(void) {
  pthread_t threads[WORKERS + 1];
  for (int i = 0; i <= WORKERS; i++)
    pthread_create(&threads[i], NULL, i == 0 ? hand_out : search, NULL);
  for (int i = 0; i <= WORKERS; i++)
    pthread_join(threads[i], NULL);
  printf("%d\n", total);
  return 0;
}
