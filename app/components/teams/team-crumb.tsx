import { AccountCrumb } from "#app/components/account/account-crumb.tsx";

/** The way back to the team, or to all of them. */
export function TeamCrumb({ team }: { team?: { slug: string; name: string } }) {
  return (
    <span className="max-lg:ml-4">
      {team ? (
        <AccountCrumb to={`/settings/teams/${team.slug}`}>{team.name}</AccountCrumb>
      ) : (
        <AccountCrumb to="/settings/teams">Equipes</AccountCrumb>
      )}
    </span>
  );
}
