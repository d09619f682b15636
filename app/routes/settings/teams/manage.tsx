import { data } from "react-router";
import { ClerkScreen } from "#app/components/clerk/clerk-screen.tsx";
import { TeamCrumb } from "#app/components/teams/team-crumb.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { clerkSettings } from "#app/lib/clerk.ts";
import { cloudflareContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/manage.ts";

export const meta: Route.MetaFunction = () => [{ title: "Configurações da equipe · Coreto" }];

/**
 * Shows Clerk's own team screen with its sub-paths, where Clerk manages the teams. Our own teams
 * have other pages.
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
