// Every fetch operation of C11 on one thread: what it returns and what it leaves.
#include <stdatomic.h>
#include <stdio.h>

int main(void) {
    _Atomic int a = 10;
    printf("%d ", atomic_fetch_add(&a, 5));
    printf("%d ", atomic_fetch_sub(&a, 3));
    printf("%d ", atomic_fetch_or(&a, 0x30));
    printf("%d ", atomic_fetch_and(&a, 0x1f));
    printf("%d ", atomic_fetch_xor(&a, 0xff));
    printf("%d ", atomic_exchange(&a, -1));
    printf("%d\n", atomic_load(&a));
    atomic_uchar c = 250;
    atomic_fetch_add(&c, 10);
    printf("%d\n", atomic_load_explicit(&c, memory_order_relaxed));
    atomic_llong w = 1LL << 40;
    atomic_fetch_sub_explicit(&w, 1, memory_order_acq_rel);
    printf("%lld\n", (long long)w);
    a = 3;
    a += 4;
    a++;
    a |= 16;
    printf("%d\n", a);
    return 0;
}
