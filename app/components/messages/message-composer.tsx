import { useRef } from "react";
import type { KeyboardEvent } from "react";
import { Form, Link, useNavigate } from "react-router";
import { ActingField } from "#app/components/shell/acting-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { MESSAGE_MAX } from "#app/domain/messages/rules.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

type MessageComposerProps = {
  action: string;
  /** Made by the server for the plain form. */
  clientMessageId: string;
  replyTo: { seq: number; text: string } | null;
  /** Where answering is cancelled. */
  here: string;
  problem: FormProblem | undefined;
  /** Sends in place; without it the form is sent as a page. */
  onSend?: (text: string) => void;
};

/** The form of a message. Enter sends, Shift and Enter break the line, Escape leaves. */
export function MessageComposer({
  action,
  clientMessageId,
  replyTo,
  here,
  problem,
  onSend,
}: MessageComposerProps) {
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const error = problem?.errors["text"] ?? problem?.message ?? null;
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === "Escape") void navigate(replyTo ? here : "/messages");
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    form.current?.requestSubmit();
  };
  return (
    <Form
      ref={form}
      id="escrever"
      method="post"
      action={action}
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        const text = new FormData(event.currentTarget).get("text");
        if (!onSend || typeof text !== "string" || text.length > MESSAGE_MAX) return;
        event.preventDefault();
        if (text.trim() === "") return;
        onSend(text.trim());
        event.currentTarget.reset();
      }}
    >
      <ActingField />
      <input type="hidden" name="clientMessageId" value={clientMessageId} />
      {replyTo ? <ReplyNote replyTo={replyTo} here={here} /> : null}
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
          maxLength={MESSAGE_MAX}
          defaultValue={problem?.values["text"]}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? "mensagem-error" : undefined}
          onKeyDown={onKeyDown}
          className={`field-sizing-content max-h-40 min-h-12 w-full min-w-0 resize-none rounded-field border bg-card px-4 py-3 leading-6 text-ink placeholder:text-muted ${error ? "border-refusal" : "border-edge"}`}
        />
        <Button size="lg" className="shrink-0 whitespace-nowrap">
          Enviar
        </Button>
      </div>
      {error ? (
        <p id="mensagem-error" role="alert" className="text-small font-medium text-refusal">
          {error}
        </p>
      ) : null}
    </Form>
  );
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
