/* Functions that say in `errno` why they fail. What they do is known; this is for programs that look at `errno`. */
enum { AGAIN = 11, TIMEDOUT = 110 };

extern _Thread_local int __raddle_errno;
int __raddle_sem_trywait(void *semaphore);
int __raddle_sem_timedwait(void *semaphore, const void *until);

int sem_trywait(void *semaphore) {
  int result = __raddle_sem_trywait(semaphore);
  if (result != 0)
    __raddle_errno = AGAIN;
  return result;
}

int sem_timedwait(void *semaphore, const void *until) {
  int result = __raddle_sem_timedwait(semaphore, until);
  if (result != 0)
    __raddle_errno = TIMEDOUT;
  return result;
}
