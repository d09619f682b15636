import { NameConfirmation } from "#app/components/teams/name-confirmation.tsx";
import { TeamCrumb } from "#app/components/teams/team-crumb.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { leaveTeam } from "#app/domain/teams/commands/members.server.ts";
import { OwnerCannotLeave } from "#app/domain/teams/errors.ts";
import { confirmationFormSchema } from "#app/domain/teams/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { requireSeat } from "#app/http/teams.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/leave.ts";

export const meta: Route.MetaFunction = () => [{ title: "Sair da equipe · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const { teamName: name, slug, isOwner } = await requireSeat({ context, slug: params.slug });
  return { name, slug, obstacle: isOwner ? new OwnerCannotLeave().message : null };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { teamId, teamName } = await requireSeat({ context, slug: params.slug });
  return handleForm(request, confirmationFormSchema, async ({ confirmation }) => {
    await leaveTeam(context.get(domainContext), {
      teamId,
      personId: context.get(memberContext).id,
      typedName: confirmation,
    });
    return redirectWithToast(request, "/settings/teams", {
      kind: "success",
      message: `Você saiu da equipe ${teamName}.`,
    });
  });
}

/** Asks first: only another member can let the person in again. */
export default function LeaveTeam({ loaderData: team, actionData }: Route.ComponentProps) {
  return (
    <>
      <TeamCrumb team={team} />
      <PageHeader
        title="Sair da equipe"
        lead={
          team.obstacle ??
          "Você deixa de ver a página por dentro e de publicar nela. Para voltar, só com outro convite."
        }
      />
      {team.obstacle === null ? (
        <Card className="p-5 sm:p-6">
          <NameConfirmation
            teamName={team.name}
            submitLabel="Sair da equipe"
            back={`/settings/teams/${team.slug}`}
            backLabel="Ficar"
            problem={actionData}
          />
        </Card>
      ) : (
        <ButtonLink to={`/settings/teams/${team.slug}/deletion`} variant="outline">
          Excluir equipe
        </ButtonLink>
      )}
    </>
  );
}
