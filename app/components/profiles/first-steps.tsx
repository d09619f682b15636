import { Check, ChevronRight } from "lucide-react";
import { Form, Link } from "react-router";
import type { DescribedStep } from "#app/components/first-steps/step-texts.ts";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";

type FirstStepsProps = { steps: DescribedStep[]; isClosed?: boolean };

/** What a new page still lacks, the next step open. Nothing is left of it once all is done. */
export function FirstSteps({ steps, isClosed = false }: FirstStepsProps) {
  const next = steps.find(({ isDone }) => !isDone);
  if (!next) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Card as="section" label="Primeiros passos" className="flex flex-col gap-4 p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-heading">Primeiros passos</h2>
        <p className="text-small text-muted tabular-nums">
          {done} de {steps.length}
        </p>
      </div>
      <ol className="flex flex-col divide-y divide-line">
        {steps.map((step) => (
          <Step key={step.key} step={step} isNext={step === next} />
        ))}
      </ol>
      <Form method="post" action="/me/first-steps" className="-mb-2 self-start">
        <input type="hidden" name="closed" value={String(!isClosed)} />
        <Button variant="ghost" size="sm" className="-ml-3">
          {isClosed ? "Mostrar na minha página" : "Esconder da minha página"}
        </Button>
      </Form>
    </Card>
  );
}

function Step({ step, isNext }: { step: DescribedStep; isNext: boolean }) {
  const { label, why, button, to, isDone, note } = step;
  if (isNext)
    return (
      <li className="flex flex-wrap items-center justify-between gap-3 py-3">
        <div className="flex min-w-0 flex-1 basis-56 gap-3">
          <Mark />
          <div className="min-w-0">
            <p className="font-semibold">{label}</p>
            <p className="text-small text-muted">
              {why} {note ? `Até agora, ${note}.` : ""}
            </p>
          </div>
        </div>
        <ButtonLink to={to}>{button}</ButtonLink>
      </li>
    );
  return (
    <li>
      {isDone ? (
        <p className="flex min-h-11 items-center gap-3 text-muted">
          <Mark isDone />
          <span>
            {label}
            <span className="sr-only"> (feito)</span>
          </span>
        </p>
      ) : (
        <Link to={to} className="flex min-h-11 items-center gap-3 hover:underline">
          <Mark />
          <span className="flex-1">{label}</span>
          <ChevronRight aria-hidden="true" className="size-4.5 text-muted" />
        </Link>
      )}
    </li>
  );
}

function Mark({ isDone = false }: { isDone?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={`mt-0.5 inline-flex size-5 shrink-0 items-center justify-center rounded-full ${isDone ? "bg-signal text-on-signal" : "border-2 border-edge"}`}
    >
      {isDone ? <Check className="size-3.5" strokeWidth={3} /> : null}
    </span>
  );
}
