/* What a program can tell Raddle. Without Raddle, all of it does nothing.
 *
 *   raddle_progress();            something useful has happened: running for ever through this is no livelock
 *   RADDLE_ATOMIC statement       no other thread runs in between; the statement may be left with break, return or goto
 *   raddle_atomic_begin(); ...    the same, by hand: every way from the beginning has to come to the end
 *   raddle_atomic_end();
 *   raddle_outside_...            a function of such a name is not looked at: nothing that it does is seen by other threads
 *
 * A function with __attribute__((annotate("raddle.atomic"))) is meant to be indivisible: `raddle predict` looks for runs in
 * which it is not. For other commands that means nothing.
 */
#ifndef RADDLE_H
#define RADDLE_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef RADDLE
void raddle_progress(void);
void raddle_atomic_begin(void);
void raddle_atomic_end(void);
#else
static inline void raddle_progress(void) {}
static inline void raddle_atomic_begin(void) {}
static inline void raddle_atomic_end(void) {}
#endif

#ifdef RADDLE
/* The end happens where the guard goes out of scope, so no way out of the statement can miss it. */
static inline __attribute__((always_inline, nodebug, unused)) void raddle_atomic_leave_(int *guard) {
  (void)guard;
  raddle_atomic_end();
}
#define RADDLE_ATOMIC                                                                          \
  for (int raddle_once_ = 1,                                                                   \
           raddle_guard_ __attribute__((cleanup(raddle_atomic_leave_), unused)) =              \
               (raddle_atomic_begin(), 0);                                                     \
       raddle_once_; raddle_once_ = 0)
#else
#define RADDLE_ATOMIC
#endif

#ifdef __cplusplus
}
#endif

#endif
