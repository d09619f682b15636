import { Form, Link } from "react-router";
import { salesEndText } from "#app/components/payouts/documents/document-labels.ts";
import { PriceChangeCard } from "#app/components/plans/price-change-card.tsx";
import { PlanForm } from "#app/components/plan-form/plan-form.tsx";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { salesDeadline } from "#app/domain/documents/queries.server.ts";
import { updatePlan } from "#app/domain/plans/commands.server.ts";
import { planLastChangedBy, creatorPlan } from "#app/domain/plans/queries.server.ts";
import { planSchema } from "#app/domain/plans/schema.ts";
import type { Plan } from "#app/domain/plans/schema.ts";
import { priceChangeStatuses } from "#app/domain/subscriptions/price-changes/queries/price-changes.server.ts";
import { submitForSpace, requireWriter } from "#app/http/acting.server.ts";
import { domainContext, actorConflictContext } from "#app/http/contexts.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { actingPersonId } from "#app/domain/teams/rules/actor.ts";
import { loadPlanFormData, planStart } from "./suggestions.server.ts";
import type { Route } from "./+types/plan-update.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.plan?.name ?? "Plano"} · Coreto` },
];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const writer = requireWriter({ context }, "plans:edit");
  const own = { planId: params.planId, creatorId: writer.space.personId };
  const [plan, changedBy, priceChanges, { feeBasisPoints, profile, planNames }, deadline] =
    await Promise.all([
      creatorPlan(ctx, own),
      planLastChangedBy(ctx, own),
      priceChangeStatuses(ctx, own),
      loadPlanFormData(ctx, own),
      salesDeadline(ctx, { personId: own.creatorId }),
    ]);
  const prices =
    plan?.state === "active"
      ? plan.prices.flatMap((price) =>
          priceChanges
            .filter(
              ({ interval, olderCount, ask }) =>
                interval === price.interval && (olderCount > 0 || ask !== null),
            )
            .map((status) => ({ price, status })),
        )
      : [];
  // The member switched to another page in the meantime. The typed text stays, but the plan does
  // not belong to this page.
  const isElsewhere = plan === null && context.get(actorConflictContext);
  return {
    plan: isElsewhere ? null : foundOr404(plan, "Não encontramos este plano."),
    changedBy,
    prices,
    feeBasisPoints,
    deadline: plan?.state === "active" ? deadline : null,
    canSendFiles: writer.may("billing:manage"),
    welcomeDraft: planStart({ profile, planNames, search: new URLSearchParams() }).welcomeDraft,
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  return await submitForSpace(
    { request, context },
    "plans:edit",
    planSchema,
    async (form, actor) => {
      const creatorId = actor.space.personId;
      // The form edits the first price. Other prices of the plan stay as they are.
      const plan = await creatorPlan(ctx, { planId: params.planId, creatorId });
      const [edited] = form.prices;
      const others =
        plan?.prices.slice(1).filter((price) => price.interval !== edited?.interval) ?? [];
      await updatePlan(ctx, {
        creatorId,
        actedBy: actingPersonId(actor),
        planId: params.planId,
        ...form,
        prices: [...form.prices, ...others],
      });
      return await redirectWithToast(request, `/plan/${params.planId}/update`, {
        kind: "success",
        message: "Plano salvo.",
      });
    },
  );
}

const STATE_TEXTS: Record<
  Plan["state"],
  { label: string; tone: "neutral" | "good" | "attention" }
> = {
  draft: { label: "Rascunho", tone: "attention" },
  active: { label: "À venda", tone: "good" },
  archived: { label: "Arquivado", tone: "neutral" },
};

export default function PlanUpdate({ loaderData, actionData }: Route.ComponentProps) {
  const { plan, changedBy, prices, feeBasisPoints, deadline, canSendFiles, welcomeDraft } =
    loaderData;
  if (plan === null)
    return (
      <PlanElsewhere
        feeBasisPoints={feeBasisPoints}
        welcomeDraft={welcomeDraft}
        problem={actionData}
      />
    );
  const state = STATE_TEXTS[plan.state];
  return (
    <>
      <PageHeader title={plan.name}>
        <Badge tone={state.tone}>{state.label}</Badge>
        {plan.state === "draft" ? (
          <ButtonLink to={`/plan/${plan.id}/activation`}>Colocar à venda</ButtonLink>
        ) : null}
        {plan.state === "archived" ? null : (
          <Form method="post" action={`/plan/${plan.id}/archive`}>
            <ActingField />
            <Button variant="outline">Arquivar</Button>
          </Form>
        )}
      </PageHeader>
      {deadline ? (
        <p className="mb-3 rounded-field bg-attention-soft px-4 py-3 text-small text-attention">
          {salesEndText(deadline.missing, deadline.endsAt)}{" "}
          {canSendFiles ? (
            <Link
              to="/settings/check-documents/files"
              className="inline-flex font-semibold underline underline-offset-3"
            >
              Mandar as fotos
            </Link>
          ) : null}
        </p>
      ) : null}
      {changedBy === null ? null : (
        <p className="mb-3 text-small text-muted">Última mudança: {changedBy}</p>
      )}
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        {plan.state === "archived" ? (
          <FormMessage message="Este plano foi arquivado e não muda mais. Quem já assina continua." />
        ) : (
          <>
            <p className="text-muted">
              Um preço novo vale para quem assinar daqui em diante; quem já assina continua pagando
              o de antes, a não ser que você peça e a pessoa aceite.
            </p>
            <PlanForm
              plan={plan}
              welcomeDraft={welcomeDraft}
              feeBasisPoints={feeBasisPoints}
              problem={actionData}
              submitLabel="Salvar plano"
            />
          </>
        )}
      </Card>
      <PriceChangeCard planId={plan.id} prices={prices} />
    </>
  );
}

function PlanElsewhere({
  feeBasisPoints,
  welcomeDraft,
  problem,
}: {
  feeBasisPoints: number;
  welcomeDraft: string;
  problem: FormProblem | undefined;
}) {
  return (
    <>
      <PageHeader title="Este plano é de outra página" />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <PlanForm
          plan={null}
          welcomeDraft={welcomeDraft}
          feeBasisPoints={feeBasisPoints}
          problem={problem}
          submitLabel="Salvar plano"
        />
      </Card>
    </>
  );
}
