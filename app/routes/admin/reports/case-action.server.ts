import type { RouterContextProvider } from "react-router";
import { casePath } from "#app/components/reports/case-path.ts";
import type { Context } from "#app/domain/context.ts";
import type { CaseAction } from "#app/domain/moderation/reports/commands/claims.server.ts";
import { caseRowForModerator } from "#app/domain/moderation/reports/queries.server.ts";
import { caseActionSchema } from "#app/domain/moderation/reports/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";

type CaseRoute = { params: { id: string }; context: Readonly<RouterContextProvider> };

const actionOf = ({ params, context }: CaseRoute) => ({
  caseId: params.id,
  moderatorId: context.get(memberContext).id,
});

/** Loads the version of a case, which a claim or a release names. A 404 for its author. */
export async function loadCaseVersion(route: CaseRoute): Promise<{ version: number }> {
  const ctx = route.context.get(domainContext);
  const row = await caseRowForModerator(ctx, actionOf(route));
  return { version: foundOr404(row, "Não encontramos este caso.").version };
}

/** Claims or releases a case by `command` and goes back to it. */
export async function submitCaseAction(
  route: CaseRoute & { request: Request },
  {
    command,
    message,
  }: { command: (ctx: Context, action: CaseAction) => Promise<void>; message: string },
) {
  return await handleForm(route.request, caseActionSchema, async (typed) => {
    await command(route.context.get(domainContext), { ...actionOf(route), ...typed });
    return await redirectWithToast(route.request, casePath(route.params.id), {
      kind: "success",
      message,
    });
  });
}
