/* Fig. 10 of the safe-schedules paper: a block of a file system, protected by one of two mutexes. */
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static int inode, busy, block;
static pthread_mutex_t m_inode = PTHREAD_MUTEX_INITIALIZER, m_busy = PTHREAD_MUTEX_INITIALIZER;

static void *allocate(void *unused) {
  for (;;) {
    pthread_mutex_lock(&m_inode);
    if (!inode) {
      pthread_mutex_lock(&m_busy);
      busy = 1;
      pthread_mutex_unlock(&m_busy);
      inode = 1;
    }
    block = 1;
    assert(block == 1);
    pthread_mutex_unlock(&m_inode);
    raddle_progress();
  }
  return unused;
}

static void *reset(void *unused) {
  for (;;) {
    pthread_mutex_lock(&m_busy);
    if (!busy) {
      block = 0;
      assert(block == 0);
      raddle_progress();
    }
    pthread_mutex_unlock(&m_busy);
  }
  return unused;
}

static void *deallocate(void *unused) {
  for (;;) {
    pthread_mutex_lock(&m_inode);
    pthread_mutex_lock(&m_busy);
    inode = 0;
    busy = 0;
    pthread_mutex_unlock(&m_busy);
    pthread_mutex_unlock(&m_inode);
    raddle_progress();
  }
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, allocate, NULL);
  pthread_create(&threads[1], NULL, reset, NULL);
  pthread_create(&threads[2], NULL, deallocate, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
