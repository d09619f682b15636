import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * Says the title of the page that came, to who listens to the screen: a link here changes the page
 * without loading it, and a screen reader says nothing of that by itself. The line lives in a
 * closed shadow root: it is read aloud, and nothing else finds it. The keyboard, where what it was
 * on went with the page before, goes on in what came.
 */
export function PageAnnouncer() {
  const { pathname } = useLocation();
  const host = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLElement>(null);
  const told = useRef(pathname);
  useEffect(() => {
    // An element has one shadow root for its life: effects may run twice.
    if (line.current === null && host.current) line.current = liveLine(host.current);
    if (line.current === null || told.current === pathname) return;
    told.current = pathname;
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
