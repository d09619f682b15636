import type { ReactNode } from "react";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { ClerkScreen } from "./clerk-screen.tsx";

/**
 * "Equipes" where Clerk stores teams: Clerk's own screens, and links to the pages that each team
 * runs here.
 */
export function ClerkTeams({
  publishableKey,
  children,
}: {
  publishableKey: string;
  children: ReactNode;
}) {
  return (
    <>
      <PageHeader
        title="Equipes"
        lead="Quem cuida de uma página junto, cada pessoa com o seu lugar."
      />
      <div className="flex flex-col gap-6">
        <ClerkScreen publishableKey={publishableKey} name="team-switcher" to="/settings/teams" />
        {children}
        <ClerkScreen publishableKey={publishableKey} name="team-list" to="/settings/teams" />
      </div>
    </>
  );
}
