import { Check, ChevronRight } from "lucide-react";
import { Form, Link } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { INVITED_PEOPLE, nextFirstStep } from "#app/domain/plans/first-steps/rules.ts";
import type { FirstStep, FirstStepKey } from "#app/domain/plans/first-steps/rules.ts";

const STEPS: Record<FirstStepKey, { label: string; why: string; to: string; button: string }> = {
  photo: {
    label: "Escolha uma foto",
    why: "Quem chega reconhece você na hora.",
    to: "/settings/profile",
    button: "Escolher foto",
  },
  bio: {
    label: "Conte o que você faz",
    why: "Duas frases bastam: o que você cria e para quem.",
    to: "/settings/profile",
    button: "Escrever",
  },
  banner: {
    label: "Ponha uma capa",
    why: "Até lá, as bandeirinhas fazem a capa.",
    to: "/settings/profile",
    button: "Escolher capa",
  },
  post: {
    label: "Publique pela primeira vez",
    why: "Uma página com uma publicação aberta já mostra a que veio.",
    to: "/post/create",
    button: "Publicar",
  },
  plan: {
    label: "Crie o primeiro plano",
    why: "Diga o preço e o que quem assina recebe.",
    to: "/plan/create",
    button: "Criar plano",
  },
  payout_method: {
    label: "Diga para onde vai o dinheiro",
    why: "Uma chave Pix ou uma conta no seu nome.",
    to: "/settings/check-documents",
    button: "Cadastrar",
  },
  documents: {
    label: "Mande os documentos",
    why: "Uma foto do documento e uma sua. Com eles conferidos, você saca.",
    to: "/settings/check-documents",
    button: "Mandar",
  },
  invitations: {
    label: `Convide ${INVITED_PEOPLE} pessoas`,
    why: "Mande o link da página a quem já gosta do que você faz.",
    to: "/me#link",
    button: "Ver o link",
  },
};

type FirstStepsProps = { steps: FirstStep[]; followersCount: number; isClosed?: boolean };

/** What a new page still lacks, the next step open. Nothing is left of it once all is done. */
export function FirstSteps({ steps, followersCount, isClosed = false }: FirstStepsProps) {
  const next = nextFirstStep(steps);
  if (next === null) return null;
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
        {steps.map(({ key, isDone }) => (
          <Step
            key={key}
            stepKey={key}
            isDone={isDone}
            isNext={key === next}
            note={key === "invitations" ? `${followersCount} de ${INVITED_PEOPLE}` : null}
          />
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

type StepProps = { stepKey: FirstStepKey; isDone: boolean; isNext: boolean; note: string | null };

function Step({ stepKey, isDone, isNext, note }: StepProps) {
  const { label, why, to, button } = STEPS[stepKey];
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
