import { CaseActionPage } from "#app/components/reports/case-action-page.tsx";
import { releaseCase } from "#app/domain/moderation/reports/commands/claims.server.ts";
import { loadCaseVersion, submitCaseAction } from "./case-action.server.ts";
import type { Route } from "./+types/release.ts";

export const meta: Route.MetaFunction = () => [{ title: "Soltar o caso · Coreto" }];

export const loader = async (route: Route.LoaderArgs) => await loadCaseVersion(route);

/** Gives a claimed case back to the queue. */
export const action = async (route: Route.ActionArgs) =>
  await submitCaseAction(route, { command: releaseCase, message: "O caso voltou para a fila." });

export default function Release({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <CaseActionPage
      title="Soltar o caso"
      caseId={params.id}
      act="release"
      version={loaderData.version}
      button="Soltar"
      problem={actionData}
    />
  );
}
