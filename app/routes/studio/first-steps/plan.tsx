import { useState } from "react";
import { Link } from "react-router";
import type { PreviewPlan } from "#app/components/first-steps/page-preview.tsx";
import { StepFrame } from "#app/components/first-steps/step-frame.tsx";
import { PlanDrafts } from "#app/components/plan-form/plan-drafts.tsx";
import { PlanForm } from "#app/components/plan-form/plan-form.tsx";
import { PlanSuggestions } from "#app/components/plan-form/plan-suggestions.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { parseMoney } from "#app/domain/money.ts";
import { creatorFee } from "#app/domain/payments/fees/queries.server.ts";
import { createPlan } from "#app/domain/plans/commands.server.ts";
import { intervals } from "#app/domain/plans/rules/intervals.ts";
import { planSchema } from "#app/domain/plans/schema.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { formText } from "#app/lib/form-text.ts";
import { planStart } from "#app/routes/studio/plans/suggestions.server.ts";
import { actingPersonId } from "#app/domain/teams/rules/actor.ts";
import { loadStep } from "./step.server.ts";
import type { Route } from "./+types/plan.ts";

export const handle = { shell: "wide" };

export const meta: Route.MetaFunction = () => [{ title: "O primeiro plano · Coreto" }];

export async function loader({ context, request }: Route.LoaderArgs) {
  const { steps, preview, profile, plans } = await loadStep({ context });
  const search = new URL(request.url).searchParams;
  const start = planStart(profile, search);
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

export async function action({ request, context }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "plans:edit",
    planSchema,
    async (plan, actor) => {
      const { planId } = await createPlan(context.get(domainContext), {
        creatorId: actor.space.personId,
        actedBy: actingPersonId(actor),
        ...plan,
      });
      return await redirectWithToast(request, `/plan/${planId}/activation`, {
        kind: "success",
        message: "Plano criado. Falta colocar à venda.",
      });
    },
  );
}

/** The first plan: a suggestion for the kind of work, then the form with it, to be changed. */
export default function PlanStep({ loaderData, actionData }: Route.ComponentProps) {
  const { steps, preview, offered, chosen, drafts, onSale, isBlank } = loaderData;
  const isWriting = chosen !== null || isBlank || actionData !== undefined;
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
            key={chosen?.key}
            onTyped={(form) => setTyped(typedPlan(chosen, form))}
            plan={null}
            start={chosen?.values}
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

/** What was typed into the form of one suggestion, or into an empty one. */
type TypedPlan = { key: string | undefined; name: string; price: string; interval: string };

const typedPlan = (chosen: Chosen, form: FormData): TypedPlan => ({
  key: chosen?.key,
  name: formText(form, "name"),
  price: formText(form, "price"),
  interval: formText(form, "interval"),
});

/** The plan of the form as the page would show it; null while it lacks a name or a price. */
function previewPlan(chosen: Chosen, typed: TypedPlan | null): PreviewPlan | null {
  const isTyped = typed !== null && typed.key === chosen?.key;
  const name = isTyped ? typed.name.trim() : (chosen?.name ?? "");
  const amountCents = isTyped ? parseMoney(typed.price) : (chosen?.amountCents ?? null);
  if (name === "" || amountCents === null) return null;
  const interval = intervals.find((one) => isTyped && one === typed.interval) ?? "monthly";
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
