import { useCallback, useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { deleteLocalCopy, saveLocalCopy } from "./local-copies.ts";
import type { ComposerValues } from "./values.ts";

const COPY_AFTER_MS = 300;
const SAVE_AFTER_MS = 2_000;
const TRY_AGAIN_AFTER_MS = 5_000;
const TIME = new Intl.DateTimeFormat("pt-BR", {
  timeZone: "America/Sao_Paulo",
  hour: "2-digit",
  minute: "2-digit",
});

type SaveStatus = { text: string; tone: "quiet" | "problem"; isOfTwoVersions?: boolean };
type Answer = {
  version?: number;
  message?: string | null;
  errors?: Record<string, string>;
  other?: unknown;
};

/** Form fields by name, without files. Joins repeated fields with line breaks. */
function typedIn(form: HTMLFormElement): ComposerValues {
  const values: ComposerValues = {};
  for (const [name, value] of new FormData(form)) {
    if (typeof value !== "string") continue;
    const before = values[name];
    values[name] = before === undefined ? value : `${before}\n${value}`;
  }
  return values;
}

type Options = {
  form: RefObject<HTMLFormElement | null>;
  authorId: string;
  postId: string;
  savesDrafts: boolean;
};

/**
 * Saves typed text: in this browser at once, and on the server every few seconds while the post is
 * a draft. `saveStatus` is the status text. Call `touched` on each change. Call `settled` once a
 * submit was accepted, which makes the copy unnecessary.
 */
export function useAutosave({ form, authorId, postId, savesDrafts }: Options) {
  const [saveStatus, setSaveStatus] = useState<SaveStatus | null>(null);
  const work = useRef({ changes: 0, isSaving: false, isStopped: false, copy: 0, save: 0 });

  const copy = useCallback(() => {
    const element = form.current;
    if (!element || work.current.changes === 0) return true;
    const values = typedIn(element);
    return saveLocalCopy(authorId, {
      postId: values["postId"] ?? postId,
      savedAt: Date.now(),
      values,
    });
  }, [form, authorId, postId]);

  // Saving schedules itself again. It uses the ref, since a function cannot name itself during its
  // creation.
  const saveLater = useRef<(afterMs: number) => void>(() => undefined);
  const save = useCallback(async () => {
    const element = form.current;
    const state = work.current;
    if (!element || !savesDrafts || state.isSaving || state.isStopped || state.changes === 0)
      return;
    state.isSaving = true;
    const saving = state.changes;
    const outcome = await sent(element);
    state.isSaving = false;
    if (outcome.version === undefined) {
      state.isStopped = outcome.isFinal;
      const { text, isOfTwoVersions = false } = outcome;
      setSaveStatus({ text, tone: "problem", isOfTwoVersions });
      return outcome.isFinal ? undefined : saveLater.current(TRY_AGAIN_AFTER_MS);
    }
    const version = element.elements.namedItem("version");
    if (version instanceof HTMLInputElement) version.value = String(outcome.version);
    setSaveStatus({ text: `Rascunho salvo às ${TIME.format(Date.now())}`, tone: "quiet" });
    if (state.changes !== saving) return saveLater.current(SAVE_AFTER_MS);
    state.changes = 0;
    deleteLocalCopy(authorId, typedIn(element)["postId"] ?? postId);
  }, [form, authorId, postId, savesDrafts]);
  useEffect(() => {
    saveLater.current = (afterMs) => {
      window.clearTimeout(work.current.save);
      work.current.save = window.setTimeout(() => void save(), afterMs);
    };
  }, [save]);

  const touched = useCallback(() => {
    const state = work.current;
    state.changes += 1;
    window.clearTimeout(state.copy);
    state.copy = window.setTimeout(() => {
      if (copy() && !savesDrafts)
        setSaveStatus({
          text: "Alterações guardadas neste aparelho até você salvar.",
          tone: "quiet",
        });
    }, COPY_AFTER_MS);
    saveLater.current(SAVE_AFTER_MS);
  }, [copy, savesDrafts]);

  const settled = useCallback(() => {
    work.current.changes = 0;
    work.current.isStopped = true;
    deleteLocalCopy(authorId, postId);
  }, [authorId, postId]);

  useEffect(() => {
    const state = work.current;
    const online = () => void save();
    window.addEventListener("online", online);
    window.addEventListener("pagehide", copy);
    return () => {
      copy();
      window.clearTimeout(state.copy);
      window.clearTimeout(state.save);
      window.removeEventListener("online", online);
      window.removeEventListener("pagehide", copy);
    };
  }, [copy, save]);

  return { saveStatus, touched, settled };
}

type Outcome =
  | { version: number; text?: never; isFinal?: never }
  | { version?: undefined; text: string; isFinal: boolean; isOfTwoVersions?: boolean };

const SIGNED_OUT =
  "A sua sessão terminou. Entre em outra aba: o texto está guardado neste aparelho.";
const OFFLINE =
  "Sem conexão. O texto está guardado neste aparelho, e é salvo quando a internet voltar.";

async function sent(form: HTMLFormElement): Promise<Outcome> {
  const body = new FormData(form);
  body.delete("image");
  try {
    const response = await fetch("/post/draft/save", { method: "POST", body });
    if (response.redirected || response.status === 401) return { text: SIGNED_OUT, isFinal: false };
    const answer = (await response.json()) as Answer;
    if (response.ok && answer.version !== undefined) return { version: answer.version };
    if (response.status >= 500) return { text: OFFLINE, isFinal: false };
    const why = answer.message ?? Object.values(answer.errors ?? {})[0] ?? "Confira os campos.";
    if (answer.other) return { text: why, isFinal: true, isOfTwoVersions: true };
    return {
      text: `Não salvamos no servidor: ${why}`,
      isFinal: response.status === 409 || response.status === 403,
    };
  } catch {
    return { text: OFFLINE, isFinal: false };
  }
}
