import { useCallback, useEffect, useRef } from "react";
import type { ComponentProps, RefObject } from "react";
import { Form, useActionData, useBeforeUnload, useBlocker, useNavigation } from "react-router";
import { Button } from "#app/components/ui/button.tsx";

/**
 * A longer form that nothing saves by itself: before its changes are left behind, it asks. What was
 * changed back counts as unchanged. Without JavaScript it is a form like any other.
 */
export function GuardedForm(props: ComponentProps<typeof Form>) {
  const form = useRef<HTMLFormElement>(null);
  const { isChanged, remember, submit } = useChanges(form);
  const isSubmitting = useNavigation().state === "submitting";
  useBeforeUnload((event) => {
    if (isChanged() || isSubmitting) event.preventDefault();
  });
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && isChanged(),
  );
  return (
    <>
      <Form
        {...props}
        ref={form}
        onFocusCapture={remember}
        onPointerDownCapture={remember}
        onKeyDownCapture={remember}
        onSubmit={submit}
      />
      {blocker.state === "blocked" ? (
        <LeaveQuestion onStay={() => blocker.reset()} onLeave={() => blocker.proceed()} />
      ) : null}
    </>
  );
}

/**
 * Compares the form with what it was before the person touched it, or already by the time the
 * script runs: what was typed before then counts. In a text area that came with text, React writes
 * that text back when it starts.
 */
function useChanges(form: RefObject<HTMLFormElement | null>) {
  const saved = useRef<string | null>(null);
  const isSending = useRef(false);
  const { state } = useNavigation();
  const problem: unknown = useActionData();
  useEffect(() => {
    if (state !== "idle" || !isSending.current) return;
    isSending.current = false;
    // An accepted form redirects, so that nothing is returned.
    if (problem === undefined || problem === null) saved.current = null;
  }, [state, problem]);
  useEffect(() => {
    if (form.current && isTypedIn(form.current)) saved.current ??= TYPED_EARLY;
  }, [form]);
  return {
    isChanged: useCallback(
      () =>
        form.current !== null &&
        saved.current !== null &&
        !isSending.current &&
        contentOf(form.current) !== saved.current,
      [form],
    ),
    remember: () => {
      if (form.current) saved.current ??= contentOf(form.current);
    },
    submit: () => {
      isSending.current = true;
    },
  };
}

/** The content of a form that was typed in before the script ran: nothing equals it. */
const TYPED_EARLY = "";

/** Whether a field holds something else than the page was sent with. */
function isTypedIn(form: HTMLFormElement): boolean {
  return [...form.elements].some(
    (field) =>
      (field instanceof HTMLTextAreaElement && field.value !== field.defaultValue) ||
      (field instanceof HTMLInputElement &&
        (field.value !== field.defaultValue || field.checked !== field.defaultChecked)) ||
      (field instanceof HTMLSelectElement && field.selectedIndex !== sentIndexOf(field)),
  );
}

/** The option that the page was sent with: the marked one, or else the first. */
const sentIndexOf = (field: HTMLSelectElement): number =>
  Math.max(
    0,
    [...field.options].findIndex((option) => option.defaultSelected),
  );

/** Every field of the form as text, with the names and sizes of its files. */
function contentOf(form: HTMLFormElement): string {
  const fields = [...new FormData(form)].map(([name, value]) => [
    name,
    typeof value === "string" ? value : `${value.name} ${value.size}`,
  ]);
  return JSON.stringify(fields);
}

function LeaveQuestion({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="leave-question"
      onClose={onStay}
      className="m-auto w-[min(26rem,calc(100vw-2rem))] rounded-card border border-line bg-card p-5 text-ink shadow-float backdrop:bg-black/60"
    >
      <h2 id="leave-question" className="text-heading">
        Sair sem salvar?
      </h2>
      <p className="mt-2 text-muted">O que você mudou nesta página ainda não foi salvo.</p>
      <div className="mt-5 flex flex-wrap gap-2">
        <Button type="button" onClick={() => dialog.current?.close()}>
          Continuar editando
        </Button>
        <Button type="button" variant="outline" onClick={onLeave}>
          Sair sem salvar
        </Button>
      </div>
    </dialog>
  );
}
