import { TeamCrumb } from "#app/components/teams/team-crumb.tsx";
import { TeamForm } from "#app/components/teams/team-form.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { updateTeam } from "#app/domain/teams/commands/team.server.ts";
import { teamFormSchema } from "#app/domain/teams/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { saveLogo, requireSeat } from "#app/http/teams.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/profile.ts";

export const meta: Route.MetaFunction = () => [{ title: "Editar equipe · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const { teamName: name, slug } = await requireSeat({ context, slug: params.slug }, "team:edit");
  return { name, slug };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const { teamId, owner } = await requireSeat({ context, slug: params.slug }, "team:edit");
  return handleForm(request, teamFormSchema, async ({ name, slug, logo }) => {
    const logoMediaId = await saveLogo(ctx, { ownerId: owner.personId, name, logo });
    await updateTeam(ctx, {
      teamId,
      personId: context.get(memberContext).id,
      name,
      slug,
      logoMediaId,
    });
    return redirectWithToast(request, `/settings/teams/${slug}`, {
      kind: "success",
      message: "Equipe salva.",
    });
  });
}

export default function TeamProfile({ loaderData: team, actionData }: Route.ComponentProps) {
  return (
    <>
      <TeamCrumb team={team} />
      <PageHeader title="Editar equipe" />
      <Card className="p-5 sm:p-6">
        <TeamForm initial={team} problem={actionData} submitLabel="Salvar" />
      </Card>
    </>
  );
}
