#include <stdio.h>
#include <stdlib.h>
#include "cart.h"

#define MAX_ITEMS 64

typedef struct node {
    struct node *next;
    int price;
} node_t;

static int total(const node_t *head)
{
    int sum = 0;
    for (; head != NULL; head = head->next)
        sum += head->price;
    return sum;
}

int main(int argc, char **argv)
{
    node_t *n = malloc(sizeof(*n));
    if (!n) {
        fprintf(stderr, "no memory\n");
        return 1;
    }
    printf("%d\n", total(n));
    free(n);
    return 0;
}
