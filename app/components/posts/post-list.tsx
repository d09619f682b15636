import { countedFromTwo } from "#app/domain/text.ts";
import { Fragment, useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { Button } from "#app/components/ui/button.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { onFeedKey } from "./feed/feed-keys.ts";
import { NewPostsNotice } from "./feed/new-posts.tsx";
import { PostCard } from "./post-card.tsx";
import { useListRestoration } from "./feed/use-scroll-restoration.ts";
import { Loading } from "#app/components/ui/skeleton.tsx";
import { useSlow } from "#app/components/ui/use-slow.ts";
import { usePostPages } from "./feed/use-post-pages.ts";
import type { PostPage } from "./feed/use-post-pages.ts";

type PostListProps = {
  label: string;
  /** The page that the loader returned. */
  first: PostPage;
  /** Our own URL that returns the next pages as JSON. */
  source: string;
  now: number;
  origin: string;
  empty: ReactNode;
  /** Shown below the last post. */
  end?: ReactNode;
  /** URL that counts newer posts, for lists that show that count. */
  newPostsSource?: string;
  /** The order is not by time. */
  isRanked?: boolean;
};

/**
 * Endless list of posts. Loads the next page before the reader reaches it. "Carregar mais" is a
 * link that works without JavaScript, after a failure and by keyboard. Restores the scroll position
 * on return.
 */
export function InfinitePostList({
  label,
  first,
  source,
  now,
  origin,
  empty,
  end = null,
  newPostsSource,
  isRanked = false,
}: PostListProps) {
  const { posts, next, isLoading, hasFailed, loadMore, putOnTop } = usePostPages(source, first, {
    isRanked,
  });
  const [seamId, setSeamId] = useState<string | null>(null);
  const feed = useRef<HTMLDivElement>(null);
  useListRestoration({ posts: posts.length, next, loadMore });
  const status = useLoaded(posts.length, isLoading, hasFailed);
  const isSlow = useSlow(isLoading);
  const askMore = async () => {
    const seen = posts.length;
    await loadMore();
    // Moves focus to the first loaded post.
    requestAnimationFrame(() =>
      feed.current?.querySelectorAll("article")[seen]?.focus({ preventScroll: true }),
    );
  };
  return (
    <>
      {newPostsSource ? (
        <NewPostsNotice
          source={newPostsSource}
          head={posts[0] ?? null}
          feed={feed}
          onShow={(newer) => (setSeamId(posts[0]?.id ?? null), putOnTop(newer))}
        />
      ) : null}
      {posts.length === 0 ? empty : null}
      <div
        ref={feed}
        {...(posts.length > 0 ? { role: "feed", "aria-label": label, "aria-busy": isLoading } : {})}
        onKeyDown={onFeedKey}
        className="flex flex-col gap-2.5 sm:gap-4"
      >
        {posts.map((post, index) => (
          <Fragment key={post.id}>
            {post.id === seamId ? <Seam /> : null}
            <PostCard
              post={post}
              now={now}
              origin={origin}
              eager={index === 0}
              position={index + 1}
            />
          </Fragment>
        ))}
      </div>
      <p role="status" className="sr-only">
        {status}
      </p>
      {hasFailed ? (
        <p className="text-center text-muted">
          Não deu para carregar mais. Confira a internet e tente de novo.
        </p>
      ) : null}
      {isSlow ? (
        <div aria-hidden="true">
          <Loading shape="post" />
        </div>
      ) : null}
      {next ? (
        <NextPage
          next={next}
          isLoading={isLoading}
          hasFailed={hasFailed}
          onAsk={askMore}
          onNear={loadMore}
        />
      ) : posts.length > 0 ? (
        end
      ) : null}
    </>
  );
}

/** Divider between new posts and the earlier ones, so that readers find their place. */
function Seam() {
  return (
    <p
      role="separator"
      className="flex items-center gap-3 py-1 text-small text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line"
    >
      Daqui para baixo, você já tinha visto
    </p>
  );
}

/** Announces loaded posts once. */
function useLoaded(count: number, isLoading: boolean, hasFailed: boolean): string {
  const before = useRef(count);
  const [status, setStatus] = useState("");
  useEffect(() => {
    const more = count - before.current;
    before.current = count;
    if (more > 0)
      setStatus(`Mais ${countedFromTwo(more, "uma publicação", "publicações")} na lista.`);
  }, [count]);
  if (isLoading) return "Carregando mais publicações.";
  return hasFailed ? "Não deu para carregar mais." : status;
}

/** Distance below the viewport at which the next page loads. */
const AHEAD = "900px";

function NextPage({
  next,
  isLoading,
  hasFailed,
  onAsk,
  onNear,
}: {
  next: string;
  isLoading: boolean;
  hasFailed: boolean;
  onAsk: () => unknown;
  onNear: () => unknown;
}) {
  const place = useRef<HTMLDivElement>(null);
  const near = useRef(onNear);
  useEffect(() => {
    near.current = onNear;
  }, [onNear]);
  useEffect(() => {
    const element = place.current;
    // A failed page loads again only by hand.
    if (!element || isLoading || hasFailed) return undefined;
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && near.current(), {
      rootMargin: AHEAD,
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [next, isLoading, hasFailed]);
  return (
    <div ref={place}>
      {isLoading ? (
        <div className="flex justify-center py-4">
          <Button type="button" variant="outline" aria-disabled="true">
            Carregando…
          </Button>
        </div>
      ) : (
        <MoreLink
          next={next}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            onAsk();
          }}
        />
      )}
    </div>
  );
}
