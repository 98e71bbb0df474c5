… [caveman: 3 items between] …
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
… [caveman: 2 items between] …
2 of 3 matching units shown
