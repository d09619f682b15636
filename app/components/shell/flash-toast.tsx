import { useEffect } from "react";
import { Form, useSubmit } from "react-router";
import { toast } from "#app/components/ui/toasts/toast.ts";
import { useHydrated } from "./browser/use-hydrated.ts";

/** `undo` is the path of the form that reverts the action. */
export type Flash = {
  kind: "success" | "error" | "info";
  message: string;
  undo?: string | undefined;
};

/**
 * Message of the last action, with an optional undo: a toast, or without JavaScript a line on top
 * of the page.
 */
export function FlashToast({ flash }: { flash: Flash | null }) {
  const hydrated = useHydrated();
  const submit = useSubmit();
  useEffect(() => {
    if (!flash) return;
    const { undo } = flash;
    const action =
      undo === undefined
        ? {}
        : {
            action: {
              label: "Desfazer",
              onClick: () => void submit(null, { method: "post", action: undo }),
            },
          };
    toast[flash.kind](flash.message, { id: flash.message, ...action });
  }, [flash, submit]);
  if (!flash || hydrated) return null;
  return (
    <div
      role="status"
      className={`mb-4 flex flex-wrap items-center justify-between gap-3 rounded-field px-4 py-3 font-medium ${flash.kind === "error" ? "bg-refusal-soft text-refusal" : "bg-signal-soft text-ink"}`}
    >
      <p>{flash.message}</p>
      {flash.undo === undefined ? null : (
        <Form method="post" action={flash.undo}>
          <button type="submit" className="min-h-11 font-semibold underline underline-offset-3">
            Desfazer
          </button>
        </Form>
      )}
    </div>
  );
}
