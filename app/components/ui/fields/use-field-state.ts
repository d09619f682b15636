import { useState } from "react";
import type { InputEvent } from "react";
import { limitNote } from "./limit-note.ts";

type Typing = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export type FieldRules = {
  error: string | undefined;
  /** The most characters. Nothing is cut: near it the field counts, and beyond it says so. */
  limit?: number | undefined;
  /** What is wrong with a value, where the browser can know; null for a right one. */
  problemOf?: ((value: string) => string | null) | undefined;
};

/**
 * What a field says while somebody types in it: the refusal until its value is right, and how much
 * of its limit is left.
 */
export function useFieldState<Field extends Typing>(
  { error, limit, problemOf }: FieldRules,
  initial: unknown,
  onTyped: ((event: InputEvent<Field>) => void) | undefined,
) {
  const [typed, setTyped] = useState<string | null>(null);
  const [isEdited, setEdited] = useState(false);
  const value = typed ?? (typeof initial === "string" ? initial : "");
  const note = limit === undefined ? null : limitNote(value.length, limit);
  const onInput = (event: InputEvent<Field>) => {
    const field = event.currentTarget;
    setTyped(field.value);
    if (!isEdited) {
      setEdited(true);
      // What is sent is judged again by the server.
      field.form?.addEventListener("submit", () => setEdited(false), { once: true });
      field.form?.addEventListener("reset", () => setTyped(null), { once: true });
    }
    onTyped?.(event);
  };
  return {
    error: note?.isOver ? note.text : errorNow({ error, problemOf }, isEdited ? value : null),
    near: note && !note.isOver ? note.text : null,
    onInput,
  };
}

/**
 * The refusal of a field, of which `edited` was made since (null when it was not touched). It
 * stands while nothing is typed, or while `problemOf` still finds one.
 */
export function errorNow(
  { error, problemOf }: Pick<FieldRules, "error" | "problemOf">,
  edited: string | null,
): string | undefined {
  if (error === undefined || edited === null) return error;
  if (problemOf) return problemOf(edited) ?? undefined;
  return edited.trim() === "" ? error : undefined;
}
