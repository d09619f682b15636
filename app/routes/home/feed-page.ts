/** The posts on a page of the feed, everywhere it is read. */
export const POSTS_PER_PAGE = 10;
