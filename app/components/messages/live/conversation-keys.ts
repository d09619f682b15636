import { useEffect } from "react";
import type { KeyboardEvent as ReactKeyboardEvent, RefObject } from "react";
import { useLocation, useNavigate } from "react-router";

/** Where the focus goes after a navigation by key, in the state of the history entry. */
type KeyState = {
  /** A conversation was opened: to the field. */
  isToField?: boolean;
  /** The path of the conversation that was left: to its link. */
  left?: string;
};

/** Of a conversation that a key opens. */
export const TO_FIELD: KeyState = { isToField: true };
/** Of a conversation that a key leaves. */
export const leftAt = (left: string): KeyState => ({ left });

/** The links of the list, in their order. */
const linksOf = (): HTMLAnchorElement[] => [
  ...document.querySelectorAll<HTMLAnchorElement>("a[data-conversation]"),
];

/** In the list the arrows move from one conversation to the next. */
export function stepByArrow(event: ReactKeyboardEvent<HTMLAnchorElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const by = stepOf(event.key);
  if (by === 0) return;
  event.preventDefault();
  const links = linksOf();
  links[links.indexOf(event.currentTarget) + by]?.focus();
}

const stepOf = (key: string): number => (key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0);

/** Keys in a field of a form, an open menu or a dialog are theirs. */
const TAKES_ESCAPE = "input, textarea, select, details[open], dialog[open]";

/**
 * Alt and an arrow open the next or former conversation of the list, from everywhere on the page.
 * Escape leaves the open one. The focus then is in the field, or on the link of what was left.
 */
export function useConversationKeys(openPath: string | null): void {
  const navigate = useNavigate();
  const state = keyStateOf(useLocation().state);
  const left = state?.left;
  useEffect(() => {
    if (openPath !== null || left === undefined) return;
    linksOf()
      .find((link) => link.pathname === left)
      ?.focus();
  }, [openPath, left]);
  useEffect(() => {
    const take = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (document.querySelector("dialog[open]")) return;
      if (event.altKey && stepOf(event.key) !== 0) {
        const links = linksOf();
        const at = links.findIndex((link) => link.pathname === openPath);
        const to = links[at === -1 ? 0 : at + stepOf(event.key)];
        event.preventDefault();
        if (to) void navigate(to.pathname, { state: TO_FIELD });
        return;
      }
      const isTaken = event.target instanceof Element && event.target.closest(TAKES_ESCAPE);
      if (event.key === "Escape" && !event.altKey && !isTaken && openPath !== null)
        void navigate("/messages", { state: leftAt(openPath) });
    };
    // Before an open menu closes by the same key.
    document.addEventListener("keydown", take, { capture: true });
    return () => document.removeEventListener("keydown", take, { capture: true });
  }, [navigate, openPath]);
}

/** Focuses the field of a conversation that a key opened. */
export function useFocusOfOpened(form: RefObject<HTMLFormElement | null>): void {
  const { state, key } = useLocation();
  const isToField = keyStateOf(state)?.isToField === true;
  useEffect(() => {
    if (isToField) form.current?.querySelector("textarea")?.focus();
  }, [form, isToField, key]);
}

function keyStateOf(state: unknown): KeyState | null {
  return typeof state === "object" && state !== null ? state : null;
}
