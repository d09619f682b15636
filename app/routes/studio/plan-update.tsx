import { PlanForm } from "#app/components/plan-form/plan-form.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { updatePlan } from "#app/domain/plans/commands.server.ts";
import { planOf } from "#app/domain/plans/queries.server.ts";
import { planSchema } from "#app/domain/plans/schema.ts";
import type { Plan } from "#app/domain/plans/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { found } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/plan-update.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: `${loaderData?.plan.name ?? "Plano"} · Coreto` }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const plan = await planOf(ctx, { planId: params.planId, creatorId: context.get(memberContext).id });
  return { plan: found(plan, "Não encontramos este plano."), feeBasisPoints: ctx.settings.feeBasisPoints };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  return await submitted(request, planSchema, async (form) => {
    // The form edits the first price; the others a plan may have stay as they are.
    const plan = await planOf(ctx, { planId: params.planId, creatorId: member.id });
    const [edited] = form.prices;
    const others = plan?.prices.slice(1).filter((price) => price.interval !== edited?.interval) ?? [];
    await updatePlan(ctx, { creatorId: member.id, planId: params.planId, ...form, prices: [...form.prices, ...others] });
    return await redirectWithToast(request, `/plan/${params.planId}/update`, { kind: "success", message: "Plano salvo." });
  });
}

const STATE_WORDS: Record<Plan["state"], { label: string; tone: "neutral" | "good" | "attention" }> = {
  draft: { label: "Rascunho", tone: "attention" },
  active: { label: "À venda", tone: "good" },
  archived: { label: "Arquivado", tone: "neutral" },
};

export default function PlanUpdate({ loaderData, actionData }: Route.ComponentProps) {
  const { plan, feeBasisPoints } = loaderData;
  const state = STATE_WORDS[plan.state];
  return (
    <>
      <PageHeader title={plan.name}>
        <Badge tone={state.tone}>{state.label}</Badge>
        {plan.state === "draft" ? <ButtonLink to={`/plan/${plan.id}/activation`}>Colocar à venda</ButtonLink> : null}
        {plan.state === "archived" ? null : (
          <ButtonLink to={`/plan/${plan.id}/archive`} variant="outline">
            Arquivar
          </ButtonLink>
        )}
      </PageHeader>
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        {plan.state === "archived" ? (
          <FormMessage message="Este plano foi arquivado e não muda mais. Quem já assina continua." />
        ) : (
          <>
            <p className="text-muted">Um preço novo vale para quem assinar daqui em diante; quem já assina continua pagando o de antes.</p>
            <PlanForm plan={plan} feeBasisPoints={feeBasisPoints} problem={actionData} submitLabel="Salvar plano" />
          </>
        )}
      </Card>
    </>
  );
}
