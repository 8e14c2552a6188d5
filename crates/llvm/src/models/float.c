/* Floating point numbers of 32 and 64 bits as IEEE 754 has them, rounded to nearest, on the integers that have their bits.
 *
 * A finite number is taken apart into a sign and `digits * 2^power`. What is computed has as many digits as fit into 64 bits; that
 * something was left out behind them is kept in the last one. `packed` rounds once. Numbers of 32 bits are computed with 64: their
 * sums, products and quotients are rounded to the same as if they had been rounded once, as 53 digits are more than twice 24. */
#include <stdint.h>

typedef uint64_t u64;
typedef uint32_t u32;

/* A function that stays one: it is long, and a program has many operations. */
#define APART __attribute__((noinline))

static const u64 SIGN = (u64)1 << 63, INFINITE = (u64)0x7ff << 52, QUIET = (u64)1 << 51;
/* What machines give for what has no value. */
static const u64 INVALID = (u64)0xfff8 << 48;

static int is_nan(u64 bits) { return (bits & ~SIGN) > INFINITE; }

struct parts {
  u64 digits;
  int power;
};

static struct parts parts(u64 bits) {
  struct parts it;
  it.digits = bits & (((u64)1 << 52) - 1);
  it.power = (int)(bits >> 52 & 0x7ff);
  if (it.power)
    it.digits |= (u64)1 << 52;
  else
    it.power = 1;
  it.power -= 1075;
  return it;
}

/* The same number, with digits up to the highest bit. */
static struct parts full(struct parts it) {
  for (int by = 32; by; by /= 2)
    if (!(it.digits >> (64 - by))) {
      it.digits <<= by;
      it.power -= by;
    }
  return it;
}

/* Digits shifted to the right; what falls out leaves a trace. */
static u64 shifted(u64 digits, int by) {
  if (by == 0)
    return digits;
  if (by > 63)
    return digits != 0;
  return digits >> by | ((digits << (64 - by)) != 0);
}

/* The nearest number of so many stored digits, whose exponents end with `largest`. */
static u64 nearest(struct parts it, int stored, int largest) {
  if (!it.digits)
    return 0;
  it = full(it);
  int exponent = it.power + 63 + largest / 2, drop = 63 - stored;
  if (exponent >= largest)
    return (u64)largest << stored;
  if (exponent < 1) {
    drop += 1 - exponent;
    exponent = 1;
  }
  if (drop > 64)
    return 0;
  u64 kept = drop == 64 ? 0 : it.digits >> drop, half = (u64)1 << (drop - 1);
  u64 rest = drop == 64 ? it.digits : it.digits & ((half << 1) - 1);
  kept += rest > half || (rest == half && (kept & 1));
  /* A digit before the stored ones is one of the exponent, and so is what rounding up carries. */
  return ((u64)(exponent - 1) << stored) + kept;
}

static u64 packed(u64 sign, u64 digits, int power) {
  struct parts it = {digits, power};
  return sign | nearest(it, 52, 0x7ff);
}

APART u64 __raddle_float_add(u64 a, u64 b) {
  if (is_nan(a) || is_nan(b))
    return (is_nan(a) ? a : b) | QUIET;
  if ((a & ~SIGN) == INFINITE)
    return (b & ~SIGN) == INFINITE && a != b ? INVALID : a;
  if ((b & ~SIGN) == INFINITE)
    return b;
  if ((a & ~SIGN) < (b & ~SIGN)) {
    u64 kept = a;
    a = b;
    b = kept;
  }
  if (!(b & ~SIGN))
    return a & ~SIGN ? a : a & b;
  struct parts x = parts(a), y = parts(b);
  u64 more = x.digits << 10, less = shifted(y.digits << 10, x.power - y.power);
  u64 sum = (a ^ b) & SIGN ? more - less : more + less;
  return sum ? packed(a & SIGN, sum, x.power - 10) : 0;
}

u64 __raddle_float_subtract(u64 a, u64 b) { return __raddle_float_add(a, is_nan(b) ? b : b ^ SIGN); }

APART u64 __raddle_float_multiply(u64 a, u64 b) {
  u64 sign = (a ^ b) & SIGN;
  if (is_nan(a) || is_nan(b))
    return (is_nan(a) ? a : b) | QUIET;
  if ((a & ~SIGN) == INFINITE || (b & ~SIGN) == INFINITE)
    return a & ~SIGN && b & ~SIGN ? sign | INFINITE : INVALID;
  if (!(a & ~SIGN) || !(b & ~SIGN))
    return sign;
  struct parts x = full(parts(a)), y = full(parts(b));
  u64 low = (u32)x.digits * (u64)(u32)y.digits, high = (x.digits >> 32) * (y.digits >> 32);
  u64 middle = (x.digits >> 32) * (u32)y.digits + (low >> 32);
  u64 other = (u64)(u32)x.digits * (y.digits >> 32) + (u32)middle;
  high += (middle >> 32) + (other >> 32);
  low = other << 32 | (u32)low;
  return packed(sign, high | (low != 0), x.power + y.power + 64);
}

APART u64 __raddle_float_divide(u64 a, u64 b) {
  u64 sign = (a ^ b) & SIGN;
  if (is_nan(a) || is_nan(b))
    return (is_nan(a) ? a : b) | QUIET;
  a &= ~SIGN;
  b &= ~SIGN;
  if (a == INFINITE)
    return b == INFINITE ? INVALID : sign | a;
  if (b == INFINITE)
    return sign;
  if (!b)
    return a ? sign | INFINITE : INVALID;
  if (!a)
    return sign;
  struct parts x = full(parts(a)), y = full(parts(b));
  /* Digit by digit, without branches. All have room to be doubled. */
  u64 rest = x.digits >> 11, divisor = y.digits >> 11, quotient = 0;
  for (int digit = 0; digit < 58; digit++) {
    u64 fits = (u64)(rest >= divisor);
    rest = (rest - divisor * fits) << 1;
    quotient = quotient << 1 | fits;
  }
  return packed(sign, quotient | (rest != 0), x.power - y.power - 57);
}

/* 1 if equal, 2 if the first is greater, 4 if the second is, 8 if one has no value. */
APART int __raddle_float_compare(u64 a, u64 b) {
  if (is_nan(a) || is_nan(b))
    return 8;
  if (a == b || !((a | b) & ~SIGN))
    return 1;
  if ((a ^ b) & SIGN)
    return a & SIGN ? 4 : 2;
  return (a > b) == !(a & SIGN) ? 2 : 4;
}

/* From 32 bits to 64, and back. */
APART u64 __raddle_float_widened(u32 bits) {
  u64 sign = (u64)(bits >> 31) << 63;
  u32 digits = bits & 0x7fffff, exponent = bits >> 23 & 0xff;
  if (exponent == 0xff)
    return sign | INFINITE | (u64)digits << 29 | (digits ? QUIET : 0);
  if (exponent)
    return sign | (u64)(exponent + 896) << 52 | (u64)digits << 29;
  return packed(sign, digits, -149);
}

APART u32 __raddle_float_narrowed(u64 bits) {
  u32 sign = (u32)(bits >> 32) & 0x80000000;
  if (is_nan(bits))
    return sign | 0x7fc00000 | ((u32)(bits >> 29) & 0x3fffff);
  if ((bits & ~SIGN) == INFINITE)
    return sign | 0x7f800000;
  return sign | (u32)nearest(parts(bits), 23, 0xff);
}

/* From integers. */
u64 __raddle_float_from_unsigned(u64 number) { return packed(0, number, 0); }
u64 __raddle_float_from_signed(int64_t number) {
  return packed((u64)number & SIGN, number < 0 ? -(u64)number : (u64)number, 0);
}
u32 __raddle_float_narrow_from_unsigned(u64 number) {
  struct parts it = {number, 0};
  return (u32)nearest(it, 23, 0xff);
}
u32 __raddle_float_narrow_from_signed(int64_t number) {
  struct parts it = {number < 0 ? -(u64)number : (u64)number, 0};
  return ((u32)(number < 0) << 31) | (u32)nearest(it, 23, 0xff);
}

/* To integers, towards zero. What does not fit is undefined in C; machines give the lowest number. */
static u64 magnitude(u64 bits) {
  struct parts it = parts(bits);
  if (it.power > 11)
    return SIGN;
  if (it.power >= 0)
    return it.digits << it.power;
  return it.power > -64 ? it.digits >> -it.power : 0;
}
APART int64_t __raddle_float_to_signed(u64 bits) {
  u64 number = magnitude(bits);
  return (int64_t)(bits & SIGN && !is_nan(bits) ? -number : number);
}
APART u64 __raddle_float_to_unsigned(u64 bits) {
  u64 number = magnitude(bits);
  return bits & SIGN ? -number : number;
}

/* Where numbers between two integers go. */
enum direction { DOWN, UP, TO_ZERO, TO_NEAREST };

/* Rounds to an integer. The digits behind the point go, and what is before it may be one more in size. */
static u64 rounded(u64 bits, enum direction direction) {
  u64 negative = bits >> 63;
  int behind = 1075 - (int)(bits >> 52 & 0x7ff);
  if (is_nan(bits))
    return bits | QUIET;
  if (behind <= 0 || !(bits & ~SIGN))
    return bits;
  /* Less than 1 there is no digit before the point, and from 1/2 on the first one behind it is set. */
  u64 unit = (u64)1 << (behind < 53 ? behind : 52), rest = behind < 53 ? bits & (unit - 1) : 1;
  u64 half = behind < 53 ? rest >= unit >> 1 : behind == 53;
  bits = behind < 53 ? bits - rest : bits & SIGN;
  u64 up = direction == DOWN ? negative : direction == UP ? !negative : direction == TO_NEAREST ? half : 0;
  if (!rest || !up)
    return bits;
  return behind < 53 ? bits + unit : bits | (u64)0x3ff << 52;
}

APART u64 __raddle_float_floor(u64 bits) { return rounded(bits, DOWN); }
APART u64 __raddle_float_ceil(u64 bits) { return rounded(bits, UP); }
APART u64 __raddle_float_trunc(u64 bits) { return rounded(bits, TO_ZERO); }
APART u64 __raddle_float_round(u64 bits) { return rounded(bits, TO_NEAREST); }

APART u64 __raddle_float_sqrt(u64 bits) {
  if (is_nan(bits))
    return bits | QUIET;
  if (!(bits & ~SIGN) || bits == INFINITE)
    return bits;
  if (bits & SIGN)
    return INVALID;
  struct parts it = full(parts(bits));
  /* The power has to be even, as it is halved. The root is found digit by digit, from pairs of digits and then zeros. */
  u64 rest = 0, root = 0, digits = it.digits;
  int power = it.power;
  if (power & 1) {
    digits >>= 1;
    power++;
  }
  for (int digit = 0; digit < 58; digit++) {
    rest = rest << 2 | digits >> 62;
    digits <<= 2;
    u64 tried = root << 2 | 1;
    u64 fits = (u64)(rest >= tried);
    rest -= tried * fits;
    root = root << 1 | fits;
  }
  return packed(0, root << 1 | (rest != 0), power / 2 - 27);
}

/* Functions of <math.h>, for programs that call them as such. */
static u64 bits_of(double number) {
  union {
    double number;
    u64 bits;
  } both = {number};
  return both.bits;
}
static double number_of(u64 bits) {
  union {
    u64 bits;
    double number;
  } both = {bits};
  return both.number;
}

double floor(double given) { return number_of(__raddle_float_floor(bits_of(given))); }
double ceil(double given) { return number_of(__raddle_float_ceil(bits_of(given))); }
double trunc(double given) { return number_of(__raddle_float_trunc(bits_of(given))); }
double round(double given) { return number_of(__raddle_float_round(bits_of(given))); }
double sqrt(double given) { return number_of(__raddle_float_sqrt(bits_of(given))); }
