import type { ReactNode } from "react";
import { useFetcher } from "react-router";
import { toast } from "#app/components/ui/toasts/toast.ts";
import { ACTION_MENU_ITEM } from "#app/components/ui/action-menu.tsx";
import { useRefusalToast } from "#app/components/ui/toasts/use-refusal-toast.ts";
import type { CommentAction } from "#app/domain/comments/schema.ts";

type ActProps = { action: string; act: CommentAction; children: ReactNode; className?: string };

/** One action on a comment, without leaving the page. Shows a refusal. */
export function CommentActionButton({
  action,
  act,
  children,
  className = ACTION_MENU_ITEM,
}: ActProps) {
  const fetcher = useFetcher<{ message?: string | null }>();
  useRefusalToast(fetcher);
  return (
    <fetcher.Form
      method="post"
      action={action}
      onSubmit={(event) => {
        event.preventDefault();
        if (!navigator.onLine) return void toast.error("Você está sem internet. Nada mudou.");
        void fetcher.submit({ act, inPlace: "true" }, { method: "post", action });
      }}
    >
      <button
        type="submit"
        name="act"
        value={act}
        className={className}
        aria-disabled={fetcher.state !== "idle"}
      >
        {children}
      </button>
    </fetcher.Form>
  );
}
