import { data, redirect } from "react-router";
import { ClerkScreen } from "#app/components/clerk/clerk-screen.tsx";
import { TeamCrumb } from "#app/components/teams/team-crumb.tsx";
import { TeamForm } from "#app/components/teams/team-form.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { createTeam } from "#app/domain/teams/commands/team.server.ts";
import { proposedSlug } from "#app/domain/teams/rules.ts";
import { teamFormSchema } from "#app/domain/teams/schema.ts";
import { clerkSettings } from "#app/lib/clerk.ts";
import { cloudflareContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { saveLogo } from "#app/http/teams.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/create.ts";

export const meta: Route.MetaFunction = () => [{ title: "Criar equipe · Coreto" }];

export function loader({ context }: Route.LoaderArgs) {
  const { isCreator, name, username } = context.get(memberContext);
  if (!isCreator) throw redirect("/space/create");
  return {
    clerk: clerkSettings(context.get(cloudflareContext).env),
    initial: { name: `Equipe de ${name}`, slug: `equipe-${proposedSlug(username)}` },
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  if (clerkSettings(context.get(cloudflareContext).env))
    throw data({ message: "Esta página não existe aqui." }, { status: 404 });
  const ctx = context.get(domainContext);
  const ownerId = context.get(memberContext).id;
  return handleForm(request, teamFormSchema, async ({ name, slug, logo }) => {
    const logoMediaId = await saveLogo(ctx, { ownerId, name, logo });
    await createTeam(ctx, { ownerId, name, slug, logoMediaId });
    return redirectWithToast(request, `/settings/teams/${slug}/invitations`, {
      kind: "success",
      message: "Equipe criada. Agora, convide alguém.",
    });
  });
}

export default function CreateTeam({
  loaderData: { clerk, initial },
  actionData,
}: Route.ComponentProps) {
  return (
    <>
      <TeamCrumb />
      <PageHeader
        title="Criar equipe"
        lead="Ela cuida da sua página com você. A página, o dinheiro e a chave Pix continuam seus."
      />
      {clerk ? (
        <ClerkScreen
          publishableKey={clerk.publishableKey}
          name="team-create"
          to="/settings/teams"
        />
      ) : (
        <Card className="p-5 sm:p-6">
          <TeamForm initial={initial} problem={actionData} submitLabel="Criar equipe" />
        </Card>
      )}
    </>
  );
}
