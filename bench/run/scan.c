/* The shape of pfscan, as in the safe-schedules paper: one thread hands out files, and two read and search them. */
#include <fcntl.h>
#include <pthread.h>
#include <raddle.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SIZE 4

static int files[SIZE];
static int first, count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;

/* How often a word is in a file: one of those called 0 to 3 in the folder that SCAN_FOLDER names. */
__attribute__((noinline)) int raddle_outside_search(unsigned file) {
  char name[4096];
  unsigned char piece[64 << 10];
  const char *folder = getenv("SCAN_FOLDER");
  if (!folder)
    return 0;
  snprintf(name, sizeof name, "%s/%u", folder, file);
  int opened = open(name, O_RDONLY);
  if (opened < 0)
    _exit(2);
  int found = 0;
  unsigned seen = 0;
  for (long length; (length = read(opened, piece, sizeof piece)) > 0;)
    for (long at = 0; at < length; at++) {
      seen = seen << 8 | piece[at];
      found += seen == 0x776f7264;
    }
  close(opened);
  return found;
}

static void *hand_out(void *unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    while (count == SIZE)
      pthread_cond_wait(&not_full, &mutex);
    files[(first + count) % SIZE] = count;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

static void *search(void *unused) {
  volatile int found = 0;
  for (;;) {
    pthread_mutex_lock(&mutex);
    while (count == 0)
      pthread_cond_wait(&not_empty, &mutex);
    int file = files[first];
    first = (first + 1) % SIZE;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
    found = raddle_outside_search(file);
    raddle_progress();
  }
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, i == 0 ? hand_out : search, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
