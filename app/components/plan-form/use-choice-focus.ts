import { useEffect, useRef } from "react";
import type { RefObject } from "react";

/**
 * Moves focus to the first field that a choice fills, because the chosen link may have gone from
 * the page. Focuses when `choice` changes to another text, never on page load.
 */
export function useChoiceFocus(choice: string | null): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  const previous = useRef(choice);
  useEffect(() => {
    if (previous.current === choice) return;
    previous.current = choice;
    if (choice !== null) field.current?.focus();
  }, [choice]);
  return field;
}
