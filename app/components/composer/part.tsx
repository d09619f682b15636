import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";

type PartProps = {
  title: string;
  /** What is chosen, for when the part is folded. */
  summary?: string | undefined;
  isOpen?: boolean;
  children: ReactNode;
};

/** A folded part of the composer beside the text. It opens without JavaScript too. */
export function Part({ title, summary, isOpen = false, children }: PartProps) {
  return (
    <details open={isOpen} className="group/part rounded-field border border-line bg-card">
      <summary className="flex min-h-12 items-center gap-3 px-4 font-semibold">
        <span>{title}</span>
        <span className="min-w-0 flex-1 truncate text-right text-small font-normal text-muted">
          {summary}
        </span>
        <ChevronDown
          aria-hidden="true"
          className="size-5 shrink-0 text-muted transition-transform group-open/part:rotate-180"
        />
      </summary>
      <div className="flex flex-col gap-4 px-4 pb-4">{children}</div>
    </details>
  );
}
