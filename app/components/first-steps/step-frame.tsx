import type { ReactNode } from "react";
import { Link } from "react-router";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { firstStepAfter, firstStepPath } from "#app/domain/plans/first-steps/rules.ts";
import type { FirstStep, FirstStepKey } from "#app/domain/plans/first-steps/rules.ts";
import { PagePreview } from "./page-preview.tsx";
import type { PreviewedPage } from "./page-preview.tsx";
import { STEP_TEXTS } from "./step-texts.ts";

export type StepFrameProps = {
  step: FirstStepKey;
  steps: FirstStep[];
  preview: PreviewedPage;
};

/**
 * The screen of one first step: the progress, what is asked or done, and a link to the next step.
 * The preview of the public page is beside it; on a phone it is folded, below.
 */
export function StepFrame({
  step,
  steps,
  preview,
  lead = STEP_TEXTS[step].why,
  isPlain = false,
  children,
}: StepFrameProps & {
  lead?: string;
  /** The content has cards of its own. */
  isPlain?: boolean;
  children: ReactNode;
}) {
  const isDone = steps.some(({ key, isDone: done }) => key === step && done);
  const next = firstStepAfter(steps, step);
  return (
    <>
      <StepProgress step={step} steps={steps} />
      <PageHeader
        title={isDone ? STEP_TEXTS[step].doneLabel : STEP_TEXTS[step].label}
        lead={isDone ? null : lead}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,640px)_minmax(0,1fr)]">
        <div className="flex flex-col gap-4">
          {isPlain ? children : <Card className="flex flex-col gap-5 p-5 sm:p-6">{children}</Card>}
          <nav aria-label="Passos" className="flex flex-wrap items-center justify-between gap-2">
            <ButtonLink to={firstStepPath(next)} variant={isDone ? "primary" : "outline"} size="lg">
              {next === null ? "Ver a minha página" : isDone ? "Continuar" : "Pular"}
            </ButtonLink>
            <Link
              to="/me/first-steps"
              className="inline-flex min-h-11 items-center text-small font-semibold text-leaf hover:underline"
            >
              Todos os passos
            </Link>
          </nav>
        </div>
        <details className="lg:hidden">
          <summary className="flex min-h-11 items-center font-semibold">
            Como a página está ficando
          </summary>
          <PagePreview page={preview} />
        </details>
        <aside aria-label="Prévia da página" className="hidden max-w-96 flex-col gap-2 lg:flex">
          <p className="text-small text-muted">Como a página está ficando</p>
          <PagePreview page={preview} />
        </aside>
      </div>
    </>
  );
}

/** "Passo 3 de 8", and a bar with a part a step. */
function StepProgress({ step, steps }: Pick<StepFrameProps, "step" | "steps">) {
  const place = steps.findIndex(({ key }) => key === step) + 1;
  return (
    <div className="flex flex-col gap-2 pb-4">
      <p className="text-small text-muted tabular-nums">
        Passo {place} de {steps.length}
      </p>
      <ol aria-hidden="true" className="flex gap-1.5">
        {steps.map(({ key, isDone }) => (
          <li
            key={key}
            className={`h-1.5 flex-1 rounded-full ${key === step ? "bg-ink" : isDone ? "bg-signal" : "bg-line"}`}
          />
        ))}
      </ol>
    </div>
  );
}
