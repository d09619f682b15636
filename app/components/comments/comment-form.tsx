import { useEffect, useRef } from "react";
import type { RefObject } from "react";
import { useFetcher } from "react-router";
import { toast } from "#app/components/ui/toasts/toast.ts";
import { MentionList } from "#app/components/mentions/mention-list.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { TextArea } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { COMMENT_MAX } from "#app/domain/comments/schema.ts";

export type CommentProblem = {
  errors?: Record<string, string>;
  message?: string | null;
  values?: Record<string, string>;
  commented?: boolean;
};

/** "Comentar", "Responder" and "Salvar" share one form with different labels. */
export type CommentFormLabels = { label: string; button: string };
export const COMMENT_FORM_LABELS: CommentFormLabels = {
  label: "Seu comentário",
  button: "Comentar",
};
export const REPLY_FORM_LABELS: CommentFormLabels = { label: "Sua resposta", button: "Responder" };
export const EDIT_FORM_LABELS: CommentFormLabels = { label: "Seu comentário", button: "Salvar" };

type CommentFormProps = {
  action: string;
  labels: CommentFormLabels;
  parentId?: string;
  startsWith?: string;
  /** What stands below the field, such as who reads the comment. */
  hint?: string | undefined;
  autoFocus?: boolean;
  /** Runs with the text while it is sent, and with null once it arrived or was refused. */
  onPending?: (body: string | null) => void;
  onDone?: () => void;
};

/** Sends a comment without leaving the page. Keeps the typed text until the server stored it. */
export function CommentForm({
  action,
  labels,
  parentId,
  startsWith,
  hint,
  autoFocus,
  onPending,
  onDone,
}: CommentFormProps) {
  const fetcher = useFetcher<CommentProblem>();
  const form = useRef<HTMLFormElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const postId = /^\/post\/([^/]+)\//.exec(action)?.[1] ?? null;
  const isIdle = fetcher.state === "idle";
  const pending = fetcher.formData?.get("body");
  const pendingBody = typeof pending === "string" ? pending.trim() : null;
  useEffect(() => onPending?.(pendingBody), [pendingBody, onPending]);
  useEffect(() => {
    if (!isIdle || fetcher.data?.commented !== true) return;
    form.current?.reset();
    onDone?.();
    // oxlint-disable-next-line react/exhaustive-deps -- only an answer ends a form; another function to tell does not
  }, [isIdle, fetcher.data]);
  useEffect(() => {
    if (!autoFocus) return;
    const area = form.current?.querySelector("textarea");
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, [autoFocus]);
  return (
    <fetcher.Form
      ref={form}
      method="post"
      className="relative"
      noValidate
      action={action}
      onSubmit={(event) => {
        event.preventDefault();
        if (!navigator.onLine)
          return void toast.error("Você está sem internet. O seu texto continua aqui.");
        const typed = new FormData(event.currentTarget);
        typed.set("inPlace", "true");
        void fetcher.submit(typed, { method: "post", action });
      }}
    >
      {parentId ? <input type="hidden" name="parentId" value={parentId} /> : null}
      <CommentFields
        labels={labels}
        problem={isIdle ? fetcher.data : undefined}
        busy={!isIdle}
        startsWith={startsWith}
        hint={hint}
        area={area}
        {...(onDone ? { onCancel: onDone } : {})}
      />
      <MentionList area={area} postId={postId} />
    </fetcher.Form>
  );
}

type CommentFieldsProps = {
  labels: CommentFormLabels;
  problem: CommentProblem | undefined;
  busy?: boolean;
  startsWith?: string | undefined;
  hint?: string | undefined;
  onCancel?: () => void;
  area?: RefObject<HTMLTextAreaElement | null>;
};

/** The fields alone, also for the pages that show a refused form without JavaScript. */
export function CommentFields({
  labels,
  problem,
  busy = false,
  startsWith,
  hint,
  onCancel,
  area,
}: CommentFieldsProps) {
  return (
    <div className="flex flex-col gap-3">
      <FormMessage message={problem?.message} />
      <TextArea
        ref={area}
        label={labels.label}
        name="body"
        rows={3}
        limit={COMMENT_MAX}
        hint={hint}
        defaultValue={problem?.values?.["body"] ?? startsWith}
        error={problem?.errors?.["body"]}
        required
        dir="auto"
      />
      <div className="flex flex-wrap justify-end gap-2">
        {onCancel ? (
          <Button type="button" variant="ghost" size="sm" onClick={onCancel}>
            Cancelar
          </Button>
        ) : null}
        <Button variant="ink" size="sm" aria-disabled={busy}>
          {labels.button}
        </Button>
      </div>
    </div>
  );
}
