import { redirect } from "react-router";
import { retryFailedDelivery } from "#app/domain/notifications/commands/failures.server.ts";
import { deliveryRetrySchema } from "#app/domain/notifications/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { refusalOf } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/failure-retry.ts";

const LIST = "/admin/notifications";

export const loader = () => redirect(LIST);

/** Tries a failed delivery again. */
export async function action({ request, context }: Route.ActionArgs) {
  return await handleForm(request, deliveryRetrySchema, async ({ source, id }) => {
    try {
      await retryFailedDelivery(context.get(domainContext), {
        source,
        id,
        moderatorId: context.get(memberContext).id,
      });
      return await redirectWithToast(request, LIST, {
        kind: "success",
        message: "Voltou para a fila.",
      });
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal?.kind !== "conflict") throw error;
      return await redirectWithToast(request, LIST, { kind: "error", message: refusal.message });
    }
  });
}
