import { useQuery } from "@tanstack/react-query";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useState } from "react";
import type { RefObject } from "react";
import { useNavigate } from "react-router";
import { toast } from "#app/components/ui/toasts/toast.ts";
import { Button } from "#app/components/ui/button.tsx";
import { encodeCursor } from "#app/domain/page.ts";
import type { PostPreview } from "#app/domain/posts/schema.ts";
import { counted } from "#app/domain/text.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { readShape } from "#app/lib/json-shape.ts";
import { goTo } from "./feed-keys.ts";
import { withParameter } from "./use-post-pages.ts";

const NOTHING = { count: 0, isMore: false };

type NewPostsProps = {
  /** Our own URL that counts newer posts. */
  source: string;
  /** The newest post of the list. */
  head: PostPreview | null;
  feed: RefObject<HTMLDivElement | null>;
  onShow: (newer: PostPreview[]) => void;
};

/**
 * Says how many posts are newer than the list. Asks every minute while the tab is visible, and at
 * once when it becomes visible again. A press puts them on top and scrolls there, and offers a way
 * back to the earlier position.
 */
export function NewPostsNotice({ source, head, feed, onShow }: NewPostsProps) {
  const since = head ? encodeCursor({ at: head.publishedAt, id: head.id }) : "0_0";
  const { data: newPosts } = useQuery({
    queryKey: ["feed-news", source, since],
    queryFn: ({ signal }) => countSince(source, since, signal),
    refetchInterval: MINUTE_MS,
    refetchIntervalInBackground: false,
    refetchOnMount: false,
    initialData: NOTHING,
    staleTime: 0,
    retry: false,
  });
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const navigate = useNavigate();
  const show = async () => {
    const newer = newPosts.isMore ? null : await postsSince(source, since);
    // Too many to put on top: the list loads again.
    if (newer === null) return void navigate("/");
    if (newer === "failed")
      return void toast.error("Não deu para buscar as novas. Confira a internet e tente de novo.");
    setPlace(placeIn(feed.current));
    onShow(newer);
    requestAnimationFrame(() => {
      const top = feed.current?.querySelector("article");
      if (top) goTo(top);
    });
  };
  const goBack = () => {
    if (place?.isConnected) goTo(place);
    setPlace(null);
  };
  const text = newPostsText(newPosts);
  return (
    <div className="sticky top-16 z-20 flex h-0 justify-center lg:top-4">
      <p role="status" className="sr-only">
        {text}
      </p>
      {text ? (
        <Button type="button" size="sm" className="h-fit shadow-float" onClick={() => void show()}>
          <ArrowUp aria-hidden="true" className="size-4" />
          {text}
        </Button>
      ) : place ? (
        <Button
          type="button"
          size="sm"
          variant="ink"
          className="h-fit shadow-float"
          onClick={goBack}
        >
          <ArrowDown aria-hidden="true" className="size-4" />
          Voltar aonde eu estava
        </Button>
      ) : null}
    </div>
  );
}

function newPostsText({ count, isMore }: { count: number; isMore: boolean }): string {
  if (count === 0) return "";
  return `${isMore ? "Mais de " : ""}${counted(count, "publicação nova", "publicações novas")}`;
}

/** The article that is being read, unless it is the first. */
function placeIn(feed: HTMLDivElement | null): HTMLElement | null {
  const articles = [...(feed?.querySelectorAll("article") ?? [])];
  const read = articles.findIndex(
    (article) => article.getBoundingClientRect().bottom > innerHeight / 3,
  );
  return read > 0 ? (articles[read] ?? null) : null;
}

async function countSince(source: string, since: string, signal: AbortSignal) {
  const answer = await fetch(withParameter(source, "since", since), { signal });
  if (!answer.ok) throw new Error(`${source} answered ${answer.status}`);
  return readShape(await answer.json(), { count: "number", isMore: "boolean" });
}

/** Loads newer posts. Null when there are too many; "failed" when the request failed. */
async function postsSince(source: string, since: string): Promise<PostPreview[] | null | "failed"> {
  try {
    const answer = await fetch(
      withParameter(withParameter(source, "since", since), "posts", "true"),
    );
    if (!answer.ok) return "failed";
    const { items }: { items: PostPreview[] | null } = await answer.json();
    return items;
  } catch {
    return "failed";
  }
}
