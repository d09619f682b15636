import { useCallback, useEffect, useRef, useState } from "react";
import type { FormEvent, KeyboardEvent, RefObject } from "react";
import { Form, Link, useLocation, useNavigate, useNavigation } from "react-router";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { MESSAGE_MAX } from "#app/domain/messages/rules.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { limitNote } from "#app/components/ui/fields/limit-note.ts";
import { Attachment } from "./files/attachment.tsx";
import { leftAt, useFocusOfOpened } from "./live/conversation-keys.ts";
import { useDraft } from "./outbox/use-draft.ts";
import type { DraftOwner } from "./outbox/use-draft.ts";

type MessageComposerProps = {
  action: string;
  /** Made by the server for the plain form. */
  clientMessageId: string;
  replyTo: { seq: number; text: string } | null;
  /** Where answering is cancelled. */
  here: string;
  problem: FormProblem | undefined;
  /** Where Escape leads; null where it does nothing. */
  leaveTo?: string | null;
  /** The most letters. */
  max?: number;
  /** Where files of the message are uploaded; null where it takes none. */
  uploadPath?: string | null;
  /** Offers a price for the files. */
  canSellFile?: boolean;
  /** Whose text it is, and of which conversation: what is typed is stored in this browser. */
  draftOf?: DraftOwner | null;
  /** Sends in place; without it the form is sent as a page. */
  onSend?: (text: string) => void;
  /** Is called while the person types. */
  onTyping?: () => void;
};

/** Said once when the limit is passed; the count beside it changes with each key. */
const OVER_LIMIT = "A mensagem está longa demais para enviar.";

/** The form of a message. Enter sends, Shift and Enter break the line, Escape leaves. */
export function MessageComposer({
  action,
  clientMessageId,
  replyTo,
  here,
  problem,
  leaveTo = "/messages",
  max = MESSAGE_MAX,
  uploadPath = null,
  canSellFile = false,
  draftOf = null,
  onSend,
  onTyping,
}: MessageComposerProps) {
  const form = useRef<HTMLFormElement>(null);
  useFocusOfReply(form, replyTo?.seq ?? null);
  useFocusOfOpened(form);
  const { isSendingFile, sentCount } = useSentFile(form, problem);
  const initial = problem?.values["text"] ?? "";
  const [typedLength, setTypedLength] = useState<number | null>(null);
  const storeDraft = useDraft(form, { draftOf, problem, onRestored: setTypedLength });
  const note = limitNote(typedLength ?? initial.length, max, "enviar");
  const refusal = problem?.errors["text"] ?? problem?.message ?? null;
  const { wait, onWait, isRefusedToWait, refuseToWait } = useWaiting();
  const error = note?.isOver ? OVER_LIMIT : isRefusedToWait ? wait : refusal;
  const onKeyDown = useComposerKeys(form, { isSendingFile, leaveTo: replyTo ? here : leaveTo });
  return (
    <Form
      ref={form}
      id="escrever"
      method="post"
      action={action}
      {...(uploadPath !== null ? { encType: "multipart/form-data" as const } : {})}
      className="flex flex-col gap-2"
      onReset={() => {
        setTypedLength(0);
        storeDraft("");
      }}
      onSubmit={(event) => {
        if (wait !== null) refuseToWait();
        if (isSendingFile || wait !== null || note?.isOver) return event.preventDefault();
        if (!onSend || !sendInPlace(event, onSend)) storeDraft("");
      }}
    >
      <ActingField />
      <input type="hidden" name="clientMessageId" value={clientMessageId} />
      {replyTo ? <ReplyNote replyTo={replyTo} here={here} /> : null}
      {uploadPath !== null ? (
        <Attachment {...{ uploadPath, problem, sentCount, onWait }} canSell={canSellFile} />
      ) : null}
      <ComposerText
        initial={initial}
        error={error}
        hasCount={note !== null}
        isSending={isSendingFile}
        onKeyDown={onKeyDown}
        onInput={(text) => {
          setTypedLength(text.length);
          storeDraft(text);
          onTyping?.();
        }}
      />
      <ComposerCount text={note?.text ?? null} />
      <ComposerError error={error} />
    </Form>
  );
}

/** Enter sends, and Escape leaves. */
function useComposerKeys(
  form: RefObject<HTMLFormElement | null>,
  { isSendingFile, leaveTo }: { isSendingFile: boolean; leaveTo: string | null },
) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === "Escape" && leaveTo !== null)
      void navigate(leaveTo, leaveTo === pathname ? {} : { state: leftAt(pathname) });
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!isSendingFile) form.current?.requestSubmit();
  };
}

/** "Responder" leads to the field. What was typed stays. */
function useFocusOfReply(form: RefObject<HTMLFormElement | null>, seq: number | null): void {
  useEffect(() => {
    if (seq !== null) form.current?.querySelector("textarea")?.focus();
  }, [form, seq]);
}

/** Why the message waits for its files, said once the person tries to send it. */
function useWaiting() {
  const [wait, setWait] = useState<string | null>(null);
  const [hasTried, setTried] = useState(false);
  const onWait = useCallback((why: string | null) => {
    setWait(why);
    if (why === null) setTried(false);
  }, []);
  return {
    wait,
    onWait,
    isRefusedToWait: hasTried && wait !== null,
    refuseToWait: () => setTried(true),
  };
}

/** Gives the text to `onSend`. False for a form with files, which is sent as a page. */
function sendInPlace(event: FormEvent<HTMLFormElement>, onSend: (text: string) => void): boolean {
  const fields = new FormData(event.currentTarget);
  const [text, file] = [fields.get("text"), fields.get("file")];
  if ((file instanceof File && file.size > 0) || typeof text !== "string") return false;
  if (fields.has("fileIds")) return false;
  // A price without a file: the server says so, and nothing is given away.
  if (String(fields.get("price") ?? "").trim() !== "") return false;
  event.preventDefault();
  if (text.trim() === "") return true;
  onSend(text.trim());
  event.currentTarget.reset();
  return true;
}

type ComposerTextProps = {
  initial: string;
  error: string | null;
  /** Its length is said below. */
  hasCount: boolean;
  /** Its files are on their way. */
  isSending: boolean;
  onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void;
  onInput(text: string): void;
};

function ComposerText({
  initial,
  error,
  hasCount,
  isSending,
  onKeyDown,
  onInput,
}: ComposerTextProps) {
  const describedBy = [error ? "mensagem-error" : "", hasCount ? "mensagem-count" : ""];
  return (
    <div className="flex items-end gap-2">
      <label htmlFor="mensagem" className="sr-only">
        Mensagem
      </label>
      <textarea
        id="mensagem"
        name="text"
        rows={1}
        dir="auto"
        placeholder="Mensagem"
        readOnly={isSending}
        defaultValue={initial}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy.filter(Boolean).join(" ") || undefined}
        onKeyDown={onKeyDown}
        onInput={(event) => onInput(event.currentTarget.value)}
        className={`field-sizing-content max-h-40 min-h-12 w-full min-w-0 resize-none rounded-field border bg-card px-4 py-3 leading-6 text-ink placeholder:text-muted ${error ? "border-refusal" : "border-edge"}`}
      />
      <Button size="lg" disabled={isSending} className="shrink-0 whitespace-nowrap">
        {isSending ? "Enviando…" : "Enviar"}
      </Button>
    </div>
  );
}

/** How much of the limit is left, or how far it is passed. Read with the field, not at each key. */
function ComposerCount({ text }: { text: string | null }) {
  return text === null ? null : (
    <p id="mensagem-count" className="text-small text-muted">
      {text}
    </p>
  );
}

function ComposerError({ error }: { error: string | null }) {
  if (error === null) return null;
  return (
    <p id="mensagem-error" role="alert" className="text-small font-medium text-refusal">
      {error}
    </p>
  );
}

/** Empties the form once its files were sent, and counts the sent ones. */
function useSentFile(
  form: RefObject<HTMLFormElement | null>,
  problem: FormProblem | undefined,
): { isSendingFile: boolean; sentCount: number } {
  const { state, formMethod, formEncType } = useNavigation();
  const isSending =
    state !== "idle" && formMethod === "POST" && formEncType === "multipart/form-data";
  const wasSending = useRef(false);
  const [sentCount, setSentCount] = useState(0);
  useEffect(() => {
    if (wasSending.current && !isSending && !problem) {
      form.current?.reset();
      setSentCount((before) => before + 1);
    }
    wasSending.current = isSending;
  }, [form, isSending, problem]);
  return { isSendingFile: isSending, sentCount };
}

function ReplyNote({
  replyTo,
  here,
}: {
  replyTo: NonNullable<MessageComposerProps["replyTo"]>;
  here: string;
}) {
  return (
    <p className="flex items-center gap-3 border-l-2 border-leaf pl-3 text-small text-muted">
      <span className="line-clamp-1 flex-1">Em resposta a: {replyTo.text}</span>
      <Link to={here} className="shrink-0 font-semibold text-leaf">
        Cancelar
      </Link>
      <input type="hidden" name="replyTo" value={replyTo.seq} />
    </p>
  );
}
