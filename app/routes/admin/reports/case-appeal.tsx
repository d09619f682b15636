import { AppealForm } from "#app/components/reports/case-forms.tsx";
import { casePath } from "#app/components/reports/case-path.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { decideAppeal } from "#app/domain/moderation/appeals/commands.server.ts";
import { appealOfCase } from "#app/domain/moderation/appeals/queries.server.ts";
import { appealDecisionSchema } from "#app/domain/moderation/appeals/schema.ts";
import { caseRowForModerator } from "#app/domain/moderation/reports/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/case-appeal.ts";

export const meta: Route.MetaFunction = () => [{ title: "Decidir o recurso · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const caseId = params.id;
  const moderatorId = context.get(memberContext).id;
  foundOr404(await caseRowForModerator(ctx, { caseId, moderatorId }), "Não encontramos este caso.");
  const appeal = foundOr404(await appealOfCase(ctx, { caseId }), "Não há recurso neste caso.");
  return { words: appeal.words };
}

/** Decides the appeal of a case. */
export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, appealDecisionSchema, async (decision) => {
    await decideAppeal(context.get(domainContext), {
      caseId: params.id,
      moderatorId: context.get(memberContext).id,
      ...decision,
    });
    return await redirectWithToast(request, "/admin/reports?view=appeals", {
      kind: "success",
      message: "Recurso decidido. As pessoas foram avisadas.",
    });
  });
}

export default function CaseAppeal({ loaderData, actionData, params }: Route.ComponentProps) {
  useFirstError(actionData);
  return (
    <>
      <PageHeader title="Decidir o recurso" />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <p dir="auto" className="whitespace-pre-line wrap-anywhere">
          {loaderData.words}
        </p>
        <AppealForm action={`${casePath(params.id)}/appeal`} problem={actionData} />
        <ButtonLink to={casePath(params.id)} variant="outline" className="self-start">
          Voltar ao caso
        </ButtonLink>
      </Card>
    </>
  );
}
