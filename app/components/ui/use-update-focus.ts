import { useEffect, useRef } from "react";
import type { RefObject } from "react";

/**
 * Where the keyboard and the screen reader go on when a page changed by itself and took what was
 * focused with it: the element that says the news (with `tabIndex={-1}`) is focused once `news` is
 * another; never as the page opens.
 */
export function useUpdateFocus<Element extends HTMLElement>(
  news: string,
): RefObject<Element | null> {
  const place = useRef<Element>(null);
  const told = useRef(news);
  useEffect(() => {
    if (told.current === news) return;
    told.current = news;
    place.current?.focus();
  }, [news]);
  return place;
}
