import { useEffect, useRef } from "react";
import type { RefObject } from "react";

/**
 * Moves focus when a page updates by itself and removes the focused element. Focuses the element
 * with the update (`tabIndex={-1}`) when `update` changes, never on page load.
 */
export function useUpdateFocus<Element extends HTMLElement>(
  update: string,
): RefObject<Element | null> {
  const place = useRef<Element>(null);
  const shownUpdate = useRef(update);
  useEffect(() => {
    if (shownUpdate.current === update) return;
    shownUpdate.current = update;
    place.current?.focus();
  }, [update]);
  return place;
}
