import { redirect } from "react-router";
import { FirstStepsLink } from "#app/components/first-steps/first-steps-link.tsx";
import { PlanNextSteps } from "#app/components/plans/plan-next-steps.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { creatorPlan } from "#app/domain/plans/queries.server.ts";
import { profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import { spaceAddress } from "#app/domain/profiles/rules.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { qrDrawing } from "#app/routes/checkout/qr-code.server.ts";
import { openFirstStepPath } from "#app/routes/studio/first-steps/step.server.ts";
import type { Route } from "./+types/plan-ready.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.plan.name ?? "Plano"} · Coreto` },
];

/** What a creator does once a plan is on sale. A plan that is not leads to its own next step. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { space, isOwn, may } = requireActor({ context }, "plans:edit");
  const [plan, profile, step] = await Promise.all([
    creatorPlan(ctx, { planId: params.planId, creatorId: space.personId }),
    profileOfPerson(ctx, { personId: space.personId }),
    isOwn ? openFirstStepPath(ctx, { creatorId: space.personId, after: "plan" }) : null,
  ]);
  const found = foundOr404(plan, "Não encontramos este plano.");
  if (found.state === "draft") throw redirect(`/plan/${found.id}/activation`);
  if (found.state === "archived" || !profile) throw redirect(`/plan/${found.id}/update`);
  const url = ctx.settings.appOrigin + spaceAddress(profile.username);
  return {
    plan: { id: found.id, name: found.name },
    username: profile.username,
    page: { url, qr: qrDrawing(url) },
    publishes: may("posts:publish"),
    hasPosts: profile.postsCount > 0,
    stepPath: step,
  };
}

export default function PlanReady({ loaderData }: Route.ComponentProps) {
  const { plan, stepPath } = loaderData;
  return (
    <>
      <PageHeader title={`${plan.name} está à venda`} lead="O que vem agora, nesta ordem:">
        <FirstStepsLink to={stepPath} variant="primary" />
      </PageHeader>
      <PlanNextSteps {...loaderData} />
    </>
  );
}
