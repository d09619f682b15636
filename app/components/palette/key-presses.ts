const SETTING = "coreto-shortcuts";
const FIELDS = "input, textarea, select, [contenteditable]";

/** The event that a button sends to open the palette. */
export const PALETTE_EVENT = "coreto:palette";

type Pressed = Pick<
  KeyboardEvent,
  "key" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey" | "target" | "defaultPrevented"
>;

/** True for Ctrl+K and Cmd+K, which open the palette from everywhere, also from a field. */
export function isPaletteKey(event: Pressed): boolean {
  return (
    (event.ctrlKey || event.metaKey) &&
    !event.altKey &&
    !event.shiftKey &&
    !event.defaultPrevented &&
    event.key.toLowerCase() === "k"
  );
}

/**
 * True for a key that may be a shortcut: alone, outside of a field, not used by something else on
 * the page, and not switched off by the person (WCAG 2.1.4).
 */
export function isShortcutKey(event: Pressed): boolean {
  return (
    event.key.length === 1 &&
    !event.ctrlKey &&
    !event.metaKey &&
    !event.altKey &&
    !event.defaultPrevented &&
    !(event.target instanceof Element && event.target.closest(FIELDS)) &&
    areShortcutsOn()
  );
}

/** Whether shortcuts of one key are on in this browser. Storage may be off: then they are on. */
export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(SETTING) !== "off";
  } catch {
    return true;
  }
}

/** Remembers in this browser whether shortcuts of one key are on. */
export function setShortcuts(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(SETTING);
    else localStorage.setItem(SETTING, "off");
  } catch {
    return;
  }
}
