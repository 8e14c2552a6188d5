/* Formatted texts. Calls of `snprintf` and `sprintf` are made into calls of functions for each part of
   the format; `vsnprintf` reads the format as it goes. A text is `size` bytes at `to`, and has `at` of them so far; what does not fit is only counted. */
#include <stdarg.h>
#include <stddef.h>

enum { LEFT = 1, ZERO = 2, PLUS = 4, SPACE = 8 };

static size_t put(char *to, size_t size, size_t at, char byte) {
  if (at + 1 < size)
    to[at] = byte;
  return at + 1;
}

static size_t fill(char *to, size_t size, size_t at, char byte, long count) {
  for (; count > 0; count--)
    at = put(to, size, at, byte);
  return at;
}

/* Bytes of the format itself. */
size_t __raddle_format_part(char *to, size_t size, size_t at, const char *format, size_t from, size_t end) {
  for (; from < end; from++)
    at = put(to, size, at, format[from]);
  return at;
}

size_t __raddle_format_char(char *to, size_t size, size_t at, int byte, int width, int flags) {
  if (!(flags & LEFT))
    at = fill(to, size, at, ' ', width - 1L);
  at = put(to, size, at, (char)byte);
  if (flags & LEFT)
    at = fill(to, size, at, ' ', width - 1L);
  return at;
}

/* At most `most` bytes, unless that is negative. */
size_t __raddle_format_text(char *to, size_t size, size_t at, const char *text, int width, int most, int flags) {
  long length = 0;
  while ((most < 0 || length < most) && text[length])
    length++;
  if (!(flags & LEFT))
    at = fill(to, size, at, ' ', width - length);
  for (long from = 0; from < length; from++)
    at = put(to, size, at, text[from]);
  if (flags & LEFT)
    at = fill(to, size, at, ' ', width - length);
  return at;
}

static size_t number(char *to, size_t size, size_t at, unsigned long value, char sign, unsigned base, int upper, int width,
                     int flags) {
  unsigned long power = 1;
  long length = sign ? 2 : 1;
  while (value / power >= base) {
    power *= base;
    length++;
  }
  if (!(flags & (LEFT | ZERO)))
    at = fill(to, size, at, ' ', width - length);
  if (sign)
    at = put(to, size, at, sign);
  if (!(flags & LEFT) && flags & ZERO)
    at = fill(to, size, at, '0', width - length);
  for (; power > 0; power /= base) {
    unsigned digit = (unsigned)(value / power % base);
    at = put(to, size, at, (char)(digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + digit - 10));
  }
  if (flags & LEFT)
    at = fill(to, size, at, ' ', width - length);
  return at;
}

size_t __raddle_format_signed(char *to, size_t size, size_t at, long value, int width, int flags) {
  char plus = (char)(flags & PLUS ? '+' : flags & SPACE ? ' ' : 0);
  unsigned long positive = value < 0 ? -(unsigned long)value : (unsigned long)value;
  return number(to, size, at, positive, (char)(value < 0 ? '-' : plus), 10, 0, width, flags);
}

size_t __raddle_format_unsigned(char *to, size_t size, size_t at, unsigned long value, int base, int upper, int width,
                                int flags) {
  return number(to, size, at, value, 0, (unsigned)base, upper, width, flags);
}

int __raddle_format_end(char *to, size_t size, size_t at) {
  if (size > 0)
    to[at < size ? at : size - 1] = 0;
  return (int)at;
}

/* What a conversion that is not known comes to: a function that nobody knows. */
void odd_conversion(void) __asm__("vsnprintf with this conversion");

static int is_digit(char byte) { return '0' <= byte && byte <= '9'; }

__attribute__((noinline)) int vsnprintf(char *to, size_t size, const char *format, va_list arguments) {
  size_t at = 0;
  while (*format) {
    if (*format != '%' || format[1] == '%') {
      at = put(to, size, at, *format);
      format += *format == '%' ? 2 : 1;
      continue;
    }
    int flags = 0, width = 0, most = -1, is_long = 0;
    for (format++;; format++) {
      int flag = *format == '-' ? LEFT : *format == '0' ? ZERO : *format == '+' ? PLUS : *format == ' ' ? SPACE : 0;
      if (!flag)
        break;
      flags |= flag;
    }
    for (; is_digit(*format); format++)
      width = 10 * width + (*format - '0');
    if (*format == '.')
      for (format++, most = 0; is_digit(*format); format++)
        most = 10 * most + (*format - '0');
    for (; *format == 'l' || *format == 'z' || *format == 'j' || *format == 't'; format++)
      is_long = 1;
    char conversion = *format++;
    if (conversion == 's' && !is_long) {
      at = __raddle_format_text(to, size, at, va_arg(arguments, const char *), width, most, flags);
    } else if (conversion == 'c' && !is_long && most < 0) {
      at = __raddle_format_char(to, size, at, va_arg(arguments, int), width, flags);
    } else if ((conversion == 'd' || conversion == 'i') && most < 0) {
      long value = is_long ? va_arg(arguments, long) : va_arg(arguments, int);
      at = __raddle_format_signed(to, size, at, value, width, flags);
    } else if ((conversion == 'u' || conversion == 'x' || conversion == 'X' || conversion == 'o') && most < 0) {
      unsigned long value = is_long ? va_arg(arguments, unsigned long) : va_arg(arguments, unsigned);
      int base = conversion == 'u' ? 10 : conversion == 'o' ? 8 : 16;
      at = __raddle_format_unsigned(to, size, at, value, base, conversion == 'X', width, flags);
    } else {
      odd_conversion();
    }
  }
  return __raddle_format_end(to, size, at);
}

/* As much as there is room for: what has no room is an access out of bounds. */
int vsprintf(char *to, const char *format, va_list arguments) {
  return vsnprintf(to, ~(size_t)0 >> 1, format, arguments);
}
