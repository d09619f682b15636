import type { ReactNode } from "react";

/** Empty state: one sentence and one action, over paper hills. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-2 overflow-hidden rounded-card border border-line bg-card px-6 pt-8 text-center">
      <h2 className="text-heading">{title}</h2>
      {children ? <div className="max-w-md text-balance text-muted">{children}</div> : null}
      {action ? <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div> : null}
      <Hills />
    </div>
  );
}

function Hills() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 400 90"
      className="-mx-6 mt-4 block w-[calc(100%+3rem)] self-stretch"
    >
      <circle cx="200" cy="54" r="30" fill="var(--flag-mustard)" />
      <path d="M0 62c60-24 110-20 170-4s140 10 230-16v48H0z" fill="var(--flag-forest)" />
      <path d="M0 76c70-18 130-12 200 0s140 6 200-8v22H0z" fill="var(--flag-blue)" />
    </svg>
  );
}
