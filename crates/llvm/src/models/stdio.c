/* The files that every program has. What is written to them means nothing, so nobody looks into one. */
struct file {
  char unused;
};

struct file __raddle_stdin, __raddle_stdout, __raddle_stderr;
struct file *stdin = &__raddle_stdin, *stdout = &__raddle_stdout, *stderr = &__raddle_stderr;
