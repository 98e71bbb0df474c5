#include <stdio.h>
#define OPEN(x) { \
    x

/* One order. */
struct order {
    int id;
};

static const int limits[] = { 1, 2, 3 };

int place(struct order *o, const int *cart, size_t n)
{
    // [caveman: lines 14-35]
}

static inline int id_of(const struct order *o) { return o->id; }
[caveman: 22 of 38 lines of C elided; caveman_retrieve("ccr_54ff3a6c7131c428c598aed6c7f37514")]
