import { NameConfirmation } from "#app/components/teams/name-confirmation.tsx";
import { TeamCrumb } from "#app/components/teams/team-crumb.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { deleteTeam } from "#app/domain/teams/commands/team.server.ts";
import { confirmationFormSchema } from "#app/domain/teams/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { requireSeat } from "#app/http/teams.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/deletion.ts";

export const meta: Route.MetaFunction = () => [{ title: "Excluir equipe · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const { teamName: name, slug } = await requireSeat({ context, slug: params.slug }, "team:delete");
  return { name, slug };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { teamId, teamName } = await requireSeat({ context, slug: params.slug }, "team:delete");
  return handleForm(request, confirmationFormSchema, async ({ confirmation }) => {
    await deleteTeam(context.get(domainContext), {
      teamId,
      personId: context.get(memberContext).id,
      typedName: confirmation,
    });
    return redirectWithToast(request, "/settings/teams", {
      kind: "success",
      message: `A equipe ${teamName} foi excluída.`,
    });
  });
}

export default function DeleteTeam({ loaderData: team, actionData }: Route.ComponentProps) {
  return (
    <>
      <TeamCrumb team={team} />
      <PageHeader
        title="Excluir equipe"
        lead="Todas as pessoas saem e os convites deixam de valer. A sua página, as publicações e o dinheiro ficam como estão."
      />
      <Card className="p-5 sm:p-6">
        <NameConfirmation
          teamName={team.name}
          submitLabel="Excluir equipe"
          back={`/settings/teams/${team.slug}`}
          backLabel="Manter a equipe"
          problem={actionData}
        />
      </Card>
    </>
  );
}
