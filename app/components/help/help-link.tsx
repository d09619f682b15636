import type { ReactNode } from "react";

/** Link to an answer of the help centre. It opens beside the page, so that no form is lost. */
export function HelpLink({ answer, children }: { answer: string; children: ReactNode }) {
  return (
    <a
      href={`/ajuda#${answer}`}
      target="_blank"
      rel="noopener"
      className="inline-flex min-h-11 items-center self-start text-small font-semibold text-leaf underline underline-offset-2"
    >
      {children}
      <span className="sr-only"> (abre em outra aba)</span>
    </a>
  );
}
