/** How many posts a page of the feed has, wherever it is asked for. */
export const POSTS_PER_PAGE = 10;
