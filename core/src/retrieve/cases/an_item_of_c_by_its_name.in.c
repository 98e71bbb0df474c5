#include <stdio.h>
#include "buf.h"

#define MAX_LEN 64

static int parse_header(struct buf *b);

/*
 * Reads a line up to its colon.
 */
static int
parse_header(struct buf *b)
{
	int n = 0;

	while (n < MAX_LEN && b->at[n] != ':')
		n++;
	return n < MAX_LEN ? n : -1;
}

/* Calls parse_header for each line. */
int
parse_all(struct buf *b)
{
	int n = 0;

	while (buf_line(b)) {
		if (parse_header(b) < 0)
			return -1;
		n++;
	}
	return n;
}

int
main(int argc, char **argv)
{
	struct buf *b = buf_open(argc > 1 ? argv[1] : "-");

	printf("%d headers\n", parse_all(b));
	buf_close(b);
	return 0;
}
