import { redirect } from "react-router";
import { z } from "zod";
import { reexamineDifference } from "#app/domain/reconciliation/commands/resolve.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { refusalOf } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/reconciliation-reexamine.ts";

const pageOf = (id: string) => `/admin/reconciliation/${encodeURIComponent(id)}`;

export const loader = ({ params }: Route.LoaderArgs) => redirect(pageOf(params.id));

/** Examines one difference again at the provider now. */
export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, z.object({}), async () => {
    try {
      const { isLeft } = await reexamineDifference(context.get(domainContext), {
        differenceId: params.id,
      });
      return await redirectWithToast(
        request,
        pageOf(params.id),
        isLeft
          ? { kind: "error", message: "O provedor respondeu, e a diferença continua." }
          : { kind: "success", message: "Resolvida: os dois lados dizem o mesmo." },
      );
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal?.kind !== "unavailable") throw error;
      return await redirectWithToast(request, pageOf(params.id), {
        kind: "error",
        message: refusal.message,
      });
    }
  });
}
