type Typed = Map<HTMLTextAreaElement, string>;

/**
 * Watches what is typed into text areas before React runs on the page. At its start React writes a
 * text area's own text back into it (`initTextarea` of react-dom), which deletes what the reader
 * typed. Inputs keep theirs.
 *
 * Call it before `hydrateRoot`. Call the result once, after React's first commit: it puts each
 * typed text back and lets React know.
 */
export function watchEarlyTyping(page: Document): () => void {
  const typed: Typed = new Map();
  for (const area of page.querySelectorAll("textarea"))
    if (area.value !== area.defaultValue) typed.set(area, area.value);
  const note = ({ target }: Event): void => {
    if (target instanceof HTMLTextAreaElement) typed.set(target, target.value);
  };
  page.addEventListener("input", note, true);
  return () => {
    page.removeEventListener("input", note, true);
    for (const [area, text] of typed)
      if (area.isConnected && area.value !== text) write(area, text);
  };
}

/** Writes with the browser's own setter, because React ignores a change made through its own. */
function write(area: HTMLTextAreaElement, text: string): void {
  const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value") ?? {};
  set?.call(area, text);
  area.dispatchEvent(new Event("input", { bubbles: true }));
}
