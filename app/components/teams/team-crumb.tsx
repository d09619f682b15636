import { AccountCrumb } from "#app/components/account/account-crumb.tsx";

/** Back link to the team, or to the list of teams. */
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
