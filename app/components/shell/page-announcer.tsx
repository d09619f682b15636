import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * Announces the title of a new page to screen readers, which say nothing after a client-side
 * navigation. The line lives in a closed shadow root: screen readers read it, and nothing else
 * finds it. Moves focus into the new page when the focused element disappeared.
 */
export function PageAnnouncer() {
  const { pathname } = useLocation();
  const host = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLElement>(null);
  const announcedPath = useRef(pathname);
  useEffect(() => {
    // An element has one shadow root for its life, and effects may run twice.
    if (line.current === null && host.current) line.current = liveLine(host.current);
    if (line.current === null || announcedPath.current === pathname) return;
    announcedPath.current = pathname;
    line.current.textContent = document.title;
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
  }, [pathname]);
  return <div ref={host} className="sr-only" />;
}

function liveLine(host: HTMLElement): HTMLElement {
  const line = document.createElement("p");
  line.setAttribute("aria-live", "polite");
  host.attachShadow({ mode: "closed" }).append(line);
  return line;
}
