import { Link } from "react-router";
import { StepFrame } from "#app/components/first-steps/step-frame.tsx";
import { PlanDrafts } from "#app/components/plan-form/plan-drafts.tsx";
import { PlanForm } from "#app/components/plan-form/plan-form.tsx";
import { PlanSuggestions } from "#app/components/plan-form/plan-suggestions.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { creatorFee } from "#app/domain/payments/fees/queries.server.ts";
import { createPlan } from "#app/domain/plans/commands.server.ts";
import { planSchema } from "#app/domain/plans/schema.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
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
  const suggested = start.chosen && {
    id: start.chosen.key,
    name: start.chosen.name,
    amountCents: start.chosen.amountCents,
    interval: "monthly" as const,
    isDraft: true,
  };
  return {
    steps,
    preview: suggested ? { ...preview, plans: [...preview.plans, suggested] } : preview,
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
  return (
    <StepFrame step="plan" steps={steps} preview={preview} isPlain>
      {onSale ? <Card className="p-5 sm:p-6">{onSale} já está à venda na sua página.</Card> : null}
      {drafts.length > 0 && !isWriting ? (
        <PlanDrafts drafts={drafts} hasPlans={onSale !== null} mayEdit />
      ) : null}
      {isWriting ? (
        <Card className="flex flex-col gap-5 p-5 sm:p-6">
          <PlanForm
            key={chosen?.key}
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
