import { useCallback, useEffect, useId, useRef, useState } from "react";
import type { RefObject } from "react";
import { mentionInTyping } from "#app/domain/comments/rules/mentions.ts";
import type { MentionInTyping } from "#app/domain/comments/rules/mentions.ts";
import { caretPlace } from "./caret-place.ts";

export type Mentionable = { username: string; name: string; avatarUrl: string | null };

type Open = {
  mention: MentionInTyping;
  people: Mentionable[];
  active: number;
  place: { left: number; top: number };
};

const ASK_AFTER_MS = 150;

type Options = {
  area: RefObject<HTMLTextAreaElement | null>;
  /** Restricts the people to those who see this post. */
  postId: string | null;
  textOf: (person: Mentionable) => string;
};

/**
 * Suggests people while somebody types "@" and a name in a text field. The focus stays in the
 * field: arrows move, Enter and Tab choose, Esc closes.
 */
export function useMentions({ area, postId, textOf }: Options) {
  const listId = useId();
  const [open, setOpen] = useState<Open | null>(null);
  const latest = useRef({ open, textOf });
  useEffect(() => {
    latest.current = { open, textOf };
  });

  const choose = useCallback(
    (person: Mentionable) => {
      const field = area.current;
      const shown = latest.current.open;
      if (!field || !shown) return;
      setOpen(null);
      insert(field, shown.mention, `${latest.current.textOf(person)} `);
    },
    [area],
  );

  useEffect(() => {
    const field = area.current;
    if (!field) return;
    let asking = new AbortController();
    let timer = 0;
    const close = () => {
      window.clearTimeout(timer);
      asking.abort();
      setOpen(null);
    };
    const look = () => {
      window.clearTimeout(timer);
      asking.abort();
      const mention = mentionInTyping(field.value, field.selectionStart);
      if (!mention || field.selectionStart !== field.selectionEnd) return setOpen(null);
      asking = new AbortController();
      const { signal } = asking;
      timer = window.setTimeout(() => {
        void peopleFor(mention.typed, postId, signal).then((people) => {
          if (signal.aborted || document.activeElement !== field) return;
          const place = caretPlace(field, mention.from);
          setOpen(people.length === 0 ? null : { mention, people, active: 0, place });
        });
      }, ASK_AFTER_MS);
    };
    const press = (event: KeyboardEvent) => {
      const shown = latest.current.open;
      if (!shown || event.isComposing) return;
      const { people, active } = shown;
      const step = { ArrowDown: 1, ArrowUp: people.length - 1 }[event.key];
      const person = people[active];
      if (step !== undefined) setOpen({ ...shown, active: (active + step) % people.length });
      else if ((event.key === "Enter" || event.key === "Tab") && person) choose(person);
      else if (event.key === "Escape") close();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    const stop = listen(field, { input: look, click: close, blur: close, keydown: press });
    return () => {
      close();
      stop();
    };
  }, [area, postId, choose]);

  useAria({ area, listId, active: open?.active ?? null });
  return { listId, open, choose };
}

/** Tells assistive technology of the list, while the focus stays in the field. */
function useAria({
  area,
  listId,
  active,
}: Pick<Options, "area"> & { listId: string; active: number | null }): void {
  useEffect(() => {
    const field = area.current;
    if (!field) return;
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-haspopup", "listbox");
    if (active === null) {
      field.removeAttribute("aria-controls");
      field.removeAttribute("aria-activedescendant");
      return;
    }
    field.setAttribute("aria-controls", listId);
    field.setAttribute("aria-activedescendant", `${listId}-${active}`);
  }, [area, listId, active]);
}

type Listeners = {
  input: () => void;
  click: () => void;
  blur: () => void;
  keydown: (event: KeyboardEvent) => void;
};

function listen(field: HTMLTextAreaElement, { keydown, ...others }: Listeners): () => void {
  field.addEventListener("keydown", keydown);
  for (const [name, act] of Object.entries(others)) field.addEventListener(name, act);
  return () => {
    field.removeEventListener("keydown", keydown);
    for (const [name, act] of Object.entries(others)) field.removeEventListener(name, act);
  };
}

/** Replaces the typed mention, like typed input, so that undo reverts it. */
function insert(field: HTMLTextAreaElement, { from, typed }: MentionInTyping, text: string): void {
  field.focus();
  field.setSelectionRange(from, from + typed.length + 1);
  if (document.execCommand("insertText", false, text)) return;
  field.setRangeText(text, from, from + typed.length + 1, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** No suggestions where there is no answer: the mention can be typed as always. */
async function peopleFor(
  typed: string,
  postId: string | null,
  signal: AbortSignal,
): Promise<Mentionable[]> {
  const search = new URLSearchParams({ q: typed, ...(postId === null ? {} : { post: postId }) });
  try {
    const answer = await fetch(`/resources/mentions?${search}`, { signal });
    return answer.ok ? ((await answer.json()) as { people: Mentionable[] }).people : [];
  } catch {
    return [];
  }
}
