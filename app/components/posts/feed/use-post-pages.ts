import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import type { InfiniteData } from "@tanstack/react-query";
import { useLocation } from "react-router";
import { HOUR_MS } from "#app/domain/time.ts";
import { encodeCursor } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import type { PostPreview } from "#app/domain/posts/schema.ts";

export type PostPage = Page<PostPreview>;
type Pages = InfiniteData<PostPage, string | null>;

/** Loads a page of a list of posts from our own `source` URL. */
async function pageAt(
  source: string,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<PostPage> {
  const answer = await fetch(cursor === null ? source : withParameter(source, "cursor", cursor), {
    signal: signal ?? null,
    headers: { Accept: "application/json" },
  });
  if (!answer.ok) throw new Error(`${source} answered ${answer.status}`);
  return await answer.json();
}

export function withParameter(address: string, name: string, value: string): string {
  return `${address}${address.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(value)}`;
}

/**
 * Pages of a list, the newer posts on top, and a function that loads more. Each visit keeps its own
 * list, so that a return finds it unchanged.
 */
export function usePostPages(source: string, first: PostPage, { isRanked = false } = {}) {
  const { key } = useLocation();
  const client = useQueryClient();
  const queryKey = ["posts", source, key];
  const query = useInfiniteQuery<PostPage, Error, Pages, string[], string | null>({
    queryKey,
    queryFn: ({ pageParam, signal }) => pageAt(source, pageParam, signal),
    initialPageParam: null,
    // A refetch starts at the same first post; newer posts wait for the reader's request.
    initialData: { pages: [first], pageParams: [isRanked ? null : firstPostKey(first)] },
    getNextPageParam: (last) => last.next,
    gcTime: HOUR_MS,
    retry: 1,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    // A ranking changes: a refetch would show another list than the one that was left.
    refetchOnMount: !isRanked,
  });
  return {
    posts: freshened(query.data, first),
    next: query.data.pages.at(-1)?.next ?? null,
    isLoading: query.isFetchingNextPage,
    hasFailed: query.isFetchNextPageError,
    loadMore: () => query.fetchNextPage(),
    /** Puts newer posts above the list. */
    putOnTop: (newer: PostPreview[]) => {
      client.setQueryData<Pages>(queryKey, (old) => old && onTop(old, newer));
    },
  };
}

/** Cursor for a refetch of the list: just above its first post. */
function firstPostKey({ items: [head] }: PostPage): string | null {
  return head ? encodeCursor({ at: head.publishedAt, id: `${head.id}z` }) : null;
}

function onTop({ pages, pageParams }: Pages, newer: PostPreview[]): Pages {
  const page = { items: newer, next: pageParams[0] ?? null };
  return { pages: [page, ...pages], pageParams: [firstPostKey(page), ...pageParams] };
}

/** Each post once, with the loader's version where it has one. */
function freshened({ pages }: Pages, first: PostPage): PostPreview[] {
  const now = new Map(first.items.map((post) => [post.id, post]));
  const once = new Map(
    pages.flatMap(({ items }) => items).map((post) => [post.id, now.get(post.id) ?? post]),
  );
  return [...once.values()];
}
