#ifndef CART_H
#define CART_H

#include <stdint.h>

struct cart;

extern int cart_total(const struct cart *c);
void cart_free(struct cart *c);
uint32_t cart_hash(const char *id, size_t len);

#endif
