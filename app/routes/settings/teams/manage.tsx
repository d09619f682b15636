import { data } from "react-router";
import { ClerkScreen } from "#app/components/clerk/clerk-screen.tsx";
import { TeamCrumb } from "#app/components/teams/team-crumb.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { clerkSettings } from "#app/lib/clerk.ts";
import { cloudflareContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/manage.ts";

export const meta: Route.MetaFunction = () => [{ title: "Configurações da equipe · Coreto" }];

/**
 * Where Clerk keeps the teams: its own screen, with its own sub-paths. Our own teams have pages of
 * their own.
 */
export function loader({ context }: Route.LoaderArgs) {
  const clerk = clerkSettings(context.get(cloudflareContext).env);
  if (!clerk) throw data({ message: "Esta página não existe aqui." }, { status: 404 });
  return { clerk };
}

export default function ManageTeam({ loaderData: { clerk } }: Route.ComponentProps) {
  return (
    <>
      <TeamCrumb />
      <PageHeader
        title="Configurações da equipe"
        lead="Quem participa, com que papel, e o nome da equipe."
      />
      <ClerkScreen publishableKey={clerk.publishableKey} name="team-profile" to="/settings/teams" />
    </>
  );
}
