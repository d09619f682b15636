import { useState } from "react";
import { Link } from "react-router";
import type { PreviewPlan } from "#app/components/first-steps/page-preview.tsx";
import { StepFrame } from "#app/components/first-steps/step-frame.tsx";
import { PlanDrafts } from "#app/components/plan-form/plan-drafts.tsx";
import { PlanForm } from "#app/components/plan-form/plan-form.tsx";
import { PlanSuggestions } from "#app/components/plan-form/plan-suggestions.tsx";
import { useChoiceFocus } from "#app/components/plan-form/use-choice-focus.ts";
import { Card } from "#app/components/ui/card.tsx";
import { parseMoney } from "#app/domain/money.ts";
import { creatorFee } from "#app/domain/payments/fees/queries.server.ts";
import { intervals } from "#app/domain/plans/rules/intervals.ts";
import { domainContext } from "#app/http/contexts.ts";
import { formText } from "#app/lib/form-text.ts";
import { planStart } from "#app/routes/studio/plans/suggestions.server.ts";
import { loadStep } from "./step.server.ts";
import { submitNewPlan } from "#app/routes/studio/plans/new-plan.server.ts";
import type { Route } from "./+types/plan.ts";

export const handle = { shell: "wide" };

export const meta: Route.MetaFunction = () => [{ title: "O primeiro plano · Coreto" }];

export async function loader({ context, request }: Route.LoaderArgs) {
  const { steps, preview, profile, plans } = await loadStep({ context });
  const search = new URL(request.url).searchParams;
  const start = planStart({ profile, planNames: plans.map(({ name }) => name), search });
  return {
    steps,
    preview,
    ...start,
    isBlank: search.has("blank"),
    drafts: plans.filter(({ state }) => state === "draft"),
    onSale: plans.find(({ state }) => state === "active")?.name ?? null,
    feeBasisPoints: await creatorFee(context.get(domainContext), { creatorId: profile.id }),
  };
}

export const action = async (route: Route.ActionArgs) => await submitNewPlan(route);

/** The first plan: a suggestion for the kind of work, then the form with it, to be changed. */
export default function PlanStep({ loaderData, actionData }: Route.ComponentProps) {
  const { steps, preview, offered, chosen, drafts, onSale, isBlank } = loaderData;
  const isWriting = chosen !== null || isBlank || actionData !== undefined;
  const choice = chosen?.key ?? null;
  const nameRef = useChoiceFocus(choice ?? (isBlank ? "blank" : null));
  const [typed, setTyped] = useState<TypedPlan | null>(null);
  const shown = isWriting ? previewPlan(chosen, typed) : null;
  return (
    <StepFrame
      step="plan"
      steps={steps}
      preview={shown ? { ...preview, plans: [...preview.plans, shown] } : preview}
      isPlain
    >
      {onSale ? <Card className="p-5 sm:p-6">{onSale} já está à venda na sua página.</Card> : null}
      {drafts.length > 0 && !isWriting ? (
        <PlanDrafts drafts={drafts} hasPlans={onSale !== null} mayEdit />
      ) : null}
      {isWriting ? (
        <Card className="flex flex-col gap-5 p-5 sm:p-6">
          <PlanForm
            onTyped={(form) => setTyped({ choice, values: formValues(form) })}
            plan={null}
            start={chosen}
            typedBefore={typed ? typedFor(choice, typed) : undefined}
            nameRef={nameRef}
            welcomeDraft={loaderData.welcomeDraft}
            feeBasisPoints={loaderData.feeBasisPoints}
            problem={actionData}
            submitLabel="Criar plano"
            isShort
          />
          <StartLink to={offered.kind ? `?kind=${offered.kind}` : "?"}>
            Ver outras sugestões
          </StartLink>
        </Card>
      ) : onSale === null && drafts.length === 0 ? (
        <>
          <PlanSuggestions {...offered} />
          <StartLink to="?blank">Começar do zero</StartLink>
        </>
      ) : null}
    </StepFrame>
  );
}

type Chosen = Route.ComponentProps["loaderData"]["chosen"];

/** What was typed into the form of one suggestion, or into an empty one (`choice` null). */
type TypedPlan = { choice: string | null; values: Record<string, string> };

const SUGGESTED_FIELDS = ["name", "description", "benefits", "price", "interval"];
const OTHER_FIELDS = ["seats", "trialDays", "welcomeMessage"];

const formValues = (form: FormData): Record<string, string> =>
  Object.fromEntries(
    [...SUGGESTED_FIELDS, ...OTHER_FIELDS].map((field) => [field, formText(form, field)]),
  );

/** What stays in the form of `choice`: everything typed for it, else what no suggestion fills. */
const typedFor = (choice: string | null, typed: TypedPlan): Record<string, string> =>
  typed.choice === choice
    ? typed.values
    : Object.fromEntries(OTHER_FIELDS.map((field) => [field, typed.values[field] ?? ""]));

/** The plan of the form as the page would show it; null while it lacks a name or a price. */
function previewPlan(chosen: Chosen, typed: TypedPlan | null): PreviewPlan | null {
  const values = typed && typed.choice === (chosen?.key ?? null) ? typed.values : null;
  const name = values ? (values.name ?? "").trim() : (chosen?.name ?? "");
  const amountCents = values ? parseMoney(values.price ?? "") : (chosen?.amountCents ?? null);
  if (name === "" || amountCents === null) return null;
  const interval = intervals.find((one) => one === values?.interval) ?? "monthly";
  return { id: "typed", name, amountCents, interval, isDraft: true };
}

function StartLink({ to, children }: { to: string; children: string }) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-11 items-center self-start font-semibold text-leaf hover:underline"
    >
      {children}
    </Link>
  );
}
