// Reading a file.
//@ run: explore
//@ verdict: unknown
//@ exit: 3
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  char buffer[4];
  int file = open("/etc/hostname", O_RDONLY);
  if (read(file, buffer, sizeof buffer) < 0)
    return 1;
  return buffer[0];
}
