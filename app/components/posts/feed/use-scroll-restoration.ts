import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

const STORED_AS = "coreto-places";
const POSITIONS_MAX = 20;

type Place = { key: string; posts: number; y: number };

/**
 * Restores the scroll position of a list after a return from another document, by loading its pages
 * again. Navigation within the product keeps the list itself. Without session storage, the list
 * starts at the top.
 */
export function useListRestoration({
  posts,
  next,
  loadMore,
}: {
  posts: number;
  next: string | null;
  loadMore: () => unknown;
}): void {
  const { key } = useLocation();
  const wanted = useRef<Place | null>(null);
  const now = useRef(posts);
  useEffect(() => {
    now.current = posts;
  }, [posts]);
  useEffect(() => {
    wanted.current = places().find((place) => place.key === key) ?? null;
    const saveScroll = () => remember({ key, posts: now.current, y: scrollY });
    const forget = () => {
      wanted.current = null;
    };
    addEventListener("pagehide", saveScroll);
    // Does not move a reader who already scrolled.
    addEventListener("wheel", forget, { once: true, passive: true });
    addEventListener("keydown", forget, { once: true });
    addEventListener("touchmove", forget, { once: true, passive: true });
    return () => {
      removeEventListener("pagehide", saveScroll);
      removeEventListener("wheel", forget);
      removeEventListener("keydown", forget);
      removeEventListener("touchmove", forget);
    };
  }, [key]);
  useEffect(() => {
    const place = wanted.current;
    if (!place || place.posts <= 0) return;
    if (posts < place.posts && next !== null) return void loadMore();
    wanted.current = null;
    if (Math.abs(scrollY - place.y) > 1) scrollTo(0, place.y);
  }, [posts, next, loadMore]);
}

function places(): Place[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORED_AS) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isPlace) : [];
  } catch {
    return [];
  }
}

function isPlace(value: unknown): value is Place {
  return (
    typeof value === "object" &&
    value !== null &&
    "key" in value &&
    "posts" in value &&
    "y" in value &&
    typeof value.posts === "number" &&
    typeof value.y === "number"
  );
}

function remember(place: Place): void {
  try {
    sessionStorage.setItem(
      STORED_AS,
      JSON.stringify(
        [place, ...places().filter(({ key }) => key !== place.key)].slice(0, POSITIONS_MAX),
      ),
    );
  } catch {
    return;
  }
}
