/* `std::condition_variable` of libstdc++, as far as it is not in its header. It begins with its condition variable of POSIX; a
 * `std::unique_lock` begins with the address of its `std::mutex`, which is one of POSIX. Where a program runs, the run-time library has
 * these functions, so they are a part of who calls them. */
#include <pthread.h>

#define NAMED(name) __asm__("_ZNSt18condition_variable" #name)

void wait(pthread_cond_t *self, pthread_mutex_t **lock) NAMED(4waitERSt11unique_lockISt5mutexE);
void wait(pthread_cond_t *self, pthread_mutex_t **lock) { pthread_cond_wait(self, *lock); }

void notify_one(pthread_cond_t *self) NAMED(10notify_oneEv);
void notify_one(pthread_cond_t *self) { pthread_cond_signal(self); }

void notify_all(pthread_cond_t *self) NAMED(10notify_allEv);
void notify_all(pthread_cond_t *self) { pthread_cond_broadcast(self); }
