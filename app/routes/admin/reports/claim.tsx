import { CaseActionPage } from "#app/components/reports/case-action-page.tsx";
import { claimCase } from "#app/domain/moderation/reports/commands/claims.server.ts";
import { loadCaseVersion, submitCaseAction } from "./case-action.server.ts";
import type { Route } from "./+types/claim.ts";

export const meta: Route.MetaFunction = () => [{ title: "Assumir o caso · Coreto" }];

export const loader = async (route: Route.LoaderArgs) => await loadCaseVersion(route);

/** Claims a case for the moderator. */
export const action = async (route: Route.ActionArgs) =>
  await submitCaseAction(route, { command: claimCase, message: "Você assumiu o caso." });

export default function Claim({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <CaseActionPage
      title="Assumir o caso"
      caseId={params.id}
      act="claim"
      version={loaderData.version}
      button="Assumir"
      problem={actionData}
    />
  );
}
