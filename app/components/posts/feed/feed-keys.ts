import type { KeyboardEvent } from "react";

/**
 * Keys of a feed (WAI-ARIA, "feed" pattern). Page Down and Page Up move between articles. Control +
 * End goes behind the list, Control + Home before it. Elsewhere and in fields the keys keep their
 * normal effect.
 */
export function onFeedKey(event: KeyboardEvent<HTMLElement>): void {
  const feed = event.currentTarget;
  if (event.altKey || event.metaKey || event.shiftKey || isTyping(event.target)) return;
  if (event.ctrlKey && event.key === "End") return leave(event, feed, "after");
  if (event.ctrlKey && event.key === "Home") return leave(event, feed, "before");
  const step = event.ctrlKey ? 0 : event.key === "PageDown" ? 1 : event.key === "PageUp" ? -1 : 0;
  if (step === 0) return;
  const articles = [...feed.querySelectorAll("article")];
  const here = articles.findIndex((article) => article.contains(document.activeElement));
  const there = articles[here + step];
  if (!there) return;
  event.preventDefault();
  goTo(there);
}

/** Scrolls an article below the fixed header and moves focus to it. */
export function goTo(article: HTMLElement): void {
  article.focus({ preventScroll: true });
  article.scrollIntoView({ block: "start" });
}

const CONTROLS = "a[href], button, input, select, textarea, summary";

function leave(
  event: KeyboardEvent<HTMLElement>,
  feed: HTMLElement,
  side: "before" | "after",
): void {
  const wanted =
    side === "after" ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
  const outside = [...document.querySelectorAll<HTMLElement>(CONTROLS)].filter(
    (control) =>
      !feed.contains(control) &&
      (feed.compareDocumentPosition(control) & wanted) !== 0 &&
      control.offsetParent !== null &&
      control.tabIndex >= 0,
  );
  const target = side === "after" ? outside[0] : outside.at(-1);
  if (!target) return;
  event.preventDefault();
  target.focus();
}

function isTyping(target: EventTarget): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest("input, textarea, select, [contenteditable]") !== null
  );
}
