import { useEffect, useRef } from "react";

const MOST_SHOWN = 99;

/** "(3) Notificações · Coreto". The title alone without unread notifications. */
export function unreadTitle(title: string, unread: number): string {
  if (unread === 0) return title;
  return `(${unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}) ${title}`;
}

/**
 * Puts the number of unread notifications into the title of each page, and on the icon of the
 * installed app. Runs after every render: a page sets its title as it likes.
 */
export function useUnreadMarks(unread: number): void {
  const marked = useRef({ from: "", to: "" });
  useEffect(() => {
    const from = document.title === marked.current.to ? marked.current.from : document.title;
    const to = unreadTitle(from, unread);
    marked.current = { from, to };
    if (document.title !== to) document.title = to;
  });
  useEffect(() => {
    // Some browsers refuse it without permission for notifications.
    if ("setAppBadge" in navigator) navigator.setAppBadge(unread).catch(() => undefined);
  }, [unread]);
}
