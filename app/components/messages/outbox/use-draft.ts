import { useCallback, useEffect, useRef } from "react";
import type { RefObject } from "react";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { DRAFT_NAME } from "./forget-outboxes.ts";
import type { OutboxOwner } from "./outbox-storage.ts";

/** Whose text it is, and in which conversation. */
export type DraftOwner = OutboxOwner & { conversationId: string };

type Draft = {
  /** Null stores nothing. */
  draftOf: DraftOwner | null;
  /** A refused form is shown as it was typed. */
  problem: FormProblem | undefined;
  /** The stored text is in the field. */
  onRestored(length: number): void;
};

/**
 * Stores what is typed in this browser, by account and conversation, so that it survives a reload
 * and an ended session. Puts it into the empty field of a page that opens. Returns what stores a
 * text; an empty one deletes it.
 */
export function useDraft(
  form: RefObject<HTMLFormElement | null>,
  { draftOf, problem, onRestored }: Draft,
): (text: string) => void {
  const name = draftOf && nameOf(draftOf);
  const restored = useRef<string | null>(null);
  const store = useCallback(
    (text: string) => {
      if (name !== null) storeDraft(name, text);
    },
    [name],
  );
  useEffect(() => {
    const field = form.current?.querySelector("textarea");
    if (name === null || !field || restored.current === name) return;
    restored.current = name;
    // What was typed before the script ran is newer.
    if (field.value !== "") return storeDraft(name, field.value);
    field.value = storedDraft(name);
    if (field.value !== "") onRestored(field.value.length);
  }, [form, name, onRestored]);
  const refused = problem?.values["text"];
  useEffect(() => {
    if (refused) store(refused);
  }, [refused, problem, store]);
  return store;
}

const nameOf = ({ account, space, conversationId }: DraftOwner): string =>
  `${DRAFT_NAME}${account}:${space}:${conversationId}`;

function storedDraft(name: string): string {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

function storeDraft(name: string, text: string): void {
  try {
    if (text.trim() === "") localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // Full or switched off: the page has the text while it is open.
  }
}
