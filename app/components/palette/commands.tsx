import { useEffect, useMemo, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useThemeChoice } from "#app/components/shell/browser/theme-form.tsx";
import { isPaletteKey, isShortcutKey, PALETTE_EVENT } from "./key-presses.ts";
import { Palette } from "./palette.tsx";
import type { PaletteEffect, PalettePerson } from "./palette-entries.ts";
import { ShortcutHelp } from "./shortcut-help.tsx";
import { MESSAGE_KEYS, SECOND_KEY_WITHIN_MS, shortcutOf, shortcutsFor } from "./shortcuts.ts";
import type { ShortcutEffect } from "./shortcuts.ts";

type CommandsProps = {
  person: PalettePerson;
  /** Takes what was pressed or clicked before this was loaded. */
  takeEarly: () => Event[];
};

/** The palette, the key help and the shortcuts of every member page. */
export function Commands({ person, takeEarly }: CommandsProps) {
  const [open, setOpen] = useState<"palette" | "help" | null>(null);
  const [typed, setTyped] = useState("");
  const signOut = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const { choose } = useThemeChoice();
  const shortcuts = useMemo(() => shortcutsFor(person), [person]);

  const act = (effect: PaletteEffect | ShortcutEffect) => {
    if (effect.type === "palette") setTyped(effect.typed ?? "");
    if (effect.type === "palette" || effect.type === "help") return setOpen(effect.type);
    if (effect.type === "step") return stepInList(effect.by);
    if (effect.type === "like") return likeFocusedPost();
    if (effect.type === "theme") choose(effect.preference);
    else if (effect.type === "sign-out") signOut.current?.requestSubmit();
    else if ("isDocument" in effect && effect.isDocument) window.location.assign(effect.to);
    else void navigate(effect.to);
  };
  useKeys({ takeEarly, shortcuts, act });

  return (
    <>
      <form ref={signOut} method="post" action="/auth/logout" hidden />
      {open === "palette" ? (
        <Palette
          person={person}
          typed={typed}
          onClose={() => setOpen(exceptPalette)}
          onChoose={act}
        />
      ) : null}
      {open === "help" ? (
        <ShortcutHelp
          shortcuts={shortcuts}
          keys={person.readsMessages ? MESSAGE_KEYS : []}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </>
  );
}

/** The palette has closed; the help that it opened stays. */
const exceptPalette = (open: "palette" | "help" | null) => (open === "palette" ? null : open);

type KeysOf = Pick<CommandsProps, "takeEarly"> & {
  shortcuts: ReturnType<typeof shortcutsFor>;
  act: (effect: ShortcutEffect) => void;
};

function useKeys({ takeEarly, shortcuts, act }: KeysOf): void {
  const latest = useRef({ shortcuts, act });
  useEffect(() => {
    latest.current = { shortcuts, act };
  });
  useEffect(() => {
    const early = takeEarly();
    let before: { key: string; until: number } | null = null;
    const openPalette = () => latest.current.act({ type: "palette" });
    const take = (event: Event) => {
      if (event.type === PALETTE_EVENT) return openPalette();
      if (!(event instanceof KeyboardEvent)) return;
      const isPalette = isPaletteKey(event);
      // A browser would search with it, also while a dialog is open.
      if (isPalette) event.preventDefault();
      if (document.querySelector("dialog[open]")) return;
      const isEarly = early.includes(event);
      if (isPalette) return openPalette();
      if (!isEarly && !isShortcutKey(event)) return;
      const first = before && event.timeStamp <= before.until ? before.key : null;
      const found = shortcutOf(latest.current.shortcuts, { key: event.key, before: first });
      before =
        found === "first"
          ? { key: event.key, until: event.timeStamp + SECOND_KEY_WITHIN_MS }
          : null;
      if (found === null || found === "first") return;
      if (event.repeat && found.effect.type !== "step") return;
      event.preventDefault();
      latest.current.act(found.effect);
    };
    const opened = early.findIndex(isPaletteEvent);
    for (const event of opened === -1 ? early : early.slice(0, opened)) take(event);
    if (opened !== -1) {
      const keys = early
        .slice(opened + 1)
        .map((event) =>
          event instanceof KeyboardEvent && !event.ctrlKey && !event.metaKey && !event.repeat
            ? event.key
            : "",
        );
      latest.current.act({ type: "palette", typed: keys.join("") });
    }
    addEventListener("keydown", take);
    addEventListener(PALETTE_EVENT, take);
    return () => {
      removeEventListener("keydown", take);
      removeEventListener(PALETTE_EVENT, take);
    };
  }, [takeEarly]);
}

/** Something that opened the palette before this was loaded: what is typed after it is for it. */
const isPaletteEvent = (event: Event): boolean =>
  event.type === PALETTE_EVENT ||
  (event instanceof KeyboardEvent && (event.ctrlKey || event.metaKey || event.key === "/"));

const STEPS = "[role=feed] article, a[data-conversation]";

/** Moves to the next or former post or conversation: from the focused one, or what is in sight. */
function stepInList(by: 1 | -1): void {
  const posts = [...document.querySelectorAll<HTMLElement>(STEPS)];
  const here = posts.findIndex((post) => post.contains(document.activeElement));
  const inSight = posts.findIndex((post) => post.getBoundingClientRect().bottom > 0);
  const next = posts[here === -1 ? inSight : here + by];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: next.matches("article") ? "start" : "nearest" });
}

function likeFocusedPost(): void {
  const post = document.activeElement?.closest("article");
  post?.querySelector<HTMLButtonElement>('form[action$="/like"] button')?.click();
}
