import { describedSteps } from "#app/components/first-steps/step-texts.ts";
import { FirstSteps } from "#app/components/profiles/first-steps.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { setFirstStepsClosed } from "#app/domain/profiles/commands/first-steps.server.ts";
import { firstStepsStatement } from "#app/domain/plans/first-steps/queries.server.ts";
import { firstSteps, nextFirstStep } from "#app/domain/plans/first-steps/rules.ts";
import { firstStepsSchema } from "#app/domain/profiles/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/first-steps.ts";

export const meta: Route.MetaFunction = () => [{ title: "Primeiros passos · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const [page] = await firstStepsStatement(context.get(domainContext), {
    creatorId: context.get(memberContext).id,
  });
  const { isClosed, ...snapshot } = foundOr404(page);
  return { steps: describedSteps(firstSteps(snapshot), snapshot), isClosed };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await handleForm(request, firstStepsSchema, async ({ closed }) => {
    await setFirstStepsClosed(context.get(domainContext), {
      creatorId: context.get(memberContext).id,
      isClosed: closed,
    });
    return await redirectWithToast(request, closed ? "/me" : "/me/first-steps", {
      kind: "success",
      message: closed
        ? "Os primeiros passos saíram da sua página. Eles ficam no Menu."
        : "Os primeiros passos estão de volta na sua página.",
    });
  });
}

/** The list of first steps on a page of its own, also when it is hidden on the creator's page. */
export default function FirstStepsPage({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Primeiros passos" lead="O que falta para a sua página receber gente." />
      {nextFirstStep(loaderData.steps) === null ? (
        <Card className="flex flex-col items-start gap-4 p-5 sm:p-6">
          <p>Tudo pronto: a sua página tem o que precisa.</p>
          <ButtonLink to="/me">Ver minha página</ButtonLink>
        </Card>
      ) : (
        <FirstSteps {...loaderData} />
      )}
    </>
  );
}
