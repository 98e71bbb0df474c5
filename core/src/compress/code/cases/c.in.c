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
    char brace = '{';
    if (n == 0) {
        fprintf(stderr, "empty } %c\n", brace);
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        printf("%d\n", cart[i]);
    }
    for (size_t i = 0; i < n; i++) {
        printf("%d\n", cart[i]);
    }
    for (size_t i = 0; i < n; i++) {
        printf("%d\n", cart[i]);
    }
    for (size_t i = 0; i < n; i++) {
        printf("%d\n", cart[i]);
    }
    for (size_t i = 0; i < n; i++) {
        printf("%d\n", cart[i]);
    }
    o->id++;
    return 0;
}

static inline int id_of(const struct order *o) { return o->id; }
