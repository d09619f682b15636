import { useEffect, useRef } from "react";
import type { RefObject } from "react";

/**
 * Moves focus when a page updates by itself and removes the focused element. Focuses the element
 * with the update (`tabIndex={-1}`) when `news` changes, never on page load.
 */
export function useUpdateFocus<Element extends HTMLElement>(
  news: string,
): RefObject<Element | null> {
  const place = useRef<Element>(null);
  const shownUpdate = useRef(news);
  useEffect(() => {
    if (shownUpdate.current === news) return;
    shownUpdate.current = news;
    place.current?.focus();
  }, [news]);
  return place;
}
