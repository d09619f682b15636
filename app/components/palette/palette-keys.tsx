import { useCallback, useEffect, useRef, useState } from "react";
import type { ComponentType, MouseEvent } from "react";
import { toast } from "#app/components/ui/toasts/toast.ts";
import { isPaletteKey, isShortcutKey, PALETTE_EVENT } from "./key-presses.ts";
import type { PalettePerson } from "./palette-entries.ts";

type CommandsView = ComponentType<{ person: PalettePerson; takeEarly: () => Event[] }>;

/**
 * The palette, the key help and the shortcuts. Their script is loaded by the first key or click
 * that needs it; what is pressed meanwhile is handed over. Only these listeners are in the script
 * that a page starts with.
 */
export function PaletteKeys({ person }: { person: PalettePerson }) {
  const [Commands, setCommands] = useState<CommandsView | null>(null);
  const early = useRef<Event[]>([]);
  const takeEarly = useCallback(() => early.current.splice(0), []);
  useEffect(() => {
    if (Commands) return;
    const take = (event: Event) => {
      if (event instanceof KeyboardEvent) {
        const isPalette = isPaletteKey(event);
        if (!isPalette && !isShortcutKey(event)) return;
        // Browsers search with these, and a later call would not stop them.
        if (isPalette || event.key === "/") event.preventDefault();
      }
      early.current.push(event);
      import("./commands.tsx").then(
        (loaded) => setCommands(() => loaded.Commands),
        () => {
          takeEarly();
          if (event.type === PALETTE_EVENT)
            toast.error("Não deu para abrir a busca. Confira a internet e tente de novo.");
        },
      );
    };
    addEventListener("keydown", take);
    addEventListener(PALETTE_EVENT, take);
    return () => {
      removeEventListener("keydown", take);
      removeEventListener(PALETTE_EVENT, take);
    };
  }, [Commands, takeEarly]);
  return Commands ? <Commands person={person} takeEarly={takeEarly} /> : null;
}

/** For a link to the search: opens the palette in its place. Without JavaScript it stays a link. */
export function openPalette(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  dispatchEvent(new Event(PALETTE_EVENT));
}
