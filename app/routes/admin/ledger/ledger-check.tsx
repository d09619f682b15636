import { redirect } from "react-router";
import { z } from "zod";
import { checkBooks } from "#app/domain/audit/commands.server.ts";
import { moderatorIds } from "#app/domain/moderation/queries.server.ts";
import { countedFromTwo } from "#app/domain/text.ts";
import { domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Toast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/ledger-check.ts";

export const loader = () => redirect("/admin/ledger");

/** Checks the whole ledger now, without waiting for the cron. */
export async function action({ request, context }: Route.ActionArgs) {
  return await handleForm(request, z.object({}), async () => {
    const ctx = context.get(domainContext);
    return await redirectWithToast(
      request,
      "/admin/ledger",
      found(await checkBooks(ctx, { moderatorIds: await moderatorIds(ctx), isWhole: true })),
    );
  });
}

/** Formats the result. A check that could not run is never reported as passed. */
function found({ brokenCount, missedCount }: { brokenCount: number; missedCount: number }): Toast {
  const missed = countedFromTwo(missedCount, "uma regra", "regras");
  if (brokenCount > 0)
    return {
      kind: "error",
      message:
        missedCount === 0
          ? "Conferido: há regras quebradas."
          : `Há regras quebradas, e não deu para conferir ${missed}.`,
    };
  return missedCount === 0
    ? { kind: "success", message: "Conferido: tudo fecha." }
    : { kind: "error", message: `Não deu para conferir ${missed}. As outras fecham.` };
}
