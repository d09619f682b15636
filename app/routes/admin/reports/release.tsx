import { CaseActionForm } from "#app/components/reports/case-forms.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { releaseCase } from "#app/domain/moderation/reports/commands/claims.server.ts";
import { caseRowForModerator } from "#app/domain/moderation/reports/queries.server.ts";
import { caseActionSchema } from "#app/domain/moderation/reports/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/release.ts";

const pageOf = (id: string) => `/admin/reports/${encodeURIComponent(id)}`;

export const meta: Route.MetaFunction = () => [{ title: "Soltar o caso · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const { version } = foundOr404(
    await caseRowForModerator(context.get(domainContext), {
      caseId: params.id,
      moderatorId: context.get(memberContext).id,
    }),
    "Não encontramos este caso.",
  );
  return { version };
}

/** Gives a claimed case back to the queue. */
export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, caseActionSchema, async (asked) => {
    await releaseCase(context.get(domainContext), {
      caseId: params.id,
      moderatorId: context.get(memberContext).id,
      ...asked,
    });
    return await redirectWithToast(request, pageOf(params.id), {
      kind: "success",
      message: "O caso voltou para a fila.",
    });
  });
}

export default function Release({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Soltar o caso" />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <CaseActionForm
          action={`${pageOf(params.id)}/release`}
          version={loaderData.version}
          button="Soltar"
          problem={actionData}
        />
        <ButtonLink to={pageOf(params.id)} variant="outline" className="self-start">
          Voltar ao caso
        </ButtonLink>
      </Card>
    </>
  );
}
