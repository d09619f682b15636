import { Ellipsis } from "lucide-react";
import { useEffect, useRef } from "react";
import type { ReactNode } from "react";
import { useFetcher } from "react-router";
import { toast } from "sonner";
import { useRefusalToast } from "#app/components/ui/use-refusal-toast.ts";
import type { CommentAction } from "#app/domain/comments/schema.ts";

const ITEM = "flex min-h-11 w-full items-center px-4 text-left font-medium hover:bg-sand";

/** Menu that opens without JavaScript too. With it, Escape and an outside click close it. */
export function CommentMenu({ label, children }: { label: string; children: ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const menu = details.current;
      if (!menu?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== "Escape") return;
        menu.querySelector("summary")?.focus();
      } else if (
        event.target instanceof Node &&
        menu.querySelector("summary")?.contains(event.target)
      )
        return;
      menu.open = false;
    };
    document.addEventListener("keydown", close);
    document.addEventListener("click", close);
    return () => {
      document.removeEventListener("keydown", close);
      document.removeEventListener("click", close);
    };
  }, []);
  return (
    <details ref={details} className="relative ml-auto">
      <summary
        aria-label={label}
        className="inline-flex size-11 cursor-pointer list-none items-center justify-center rounded-full text-muted hover:bg-sand hover:text-ink [&::-webkit-details-marker]:hidden"
      >
        <Ellipsis aria-hidden="true" className="size-5" />
      </summary>
      <div className="absolute top-full right-0 z-20 w-56 overflow-hidden rounded-field border border-line bg-card py-1 shadow-float">
        {children}
      </div>
    </details>
  );
}

type ActProps = { action: string; act: CommentAction; children: ReactNode; className?: string };

/** One action on a comment, without leaving the page. Shows a refusal. */
export function CommentActionButton({ action, act, children, className = ITEM }: ActProps) {
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

export const COMMENT_MENU_ITEM = ITEM;
