import { redirect } from "react-router";
import { retryQuarantinedEvent } from "#app/domain/payments/webhook-events/commands/quarantine.server.ts";
import { quarantineClosingSchema } from "#app/domain/payments/schema/forms.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { refusalOf } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/delivery-retry.ts";

const pageOf = (id: string) => `/admin/reconciliation/deliveries/${encodeURIComponent(id)}`;

export const loader = ({ params }: Route.LoaderArgs) => redirect(pageOf(params.id));

/** Returns one quarantined event to its queue. */
export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(
    request,
    quarantineClosingSchema.pick({ seenAt: true }),
    async ({ seenAt }) => {
      try {
        await retryQuarantinedEvent(context.get(domainContext), {
          inboxId: params.id,
          seenAt,
          moderatorId: context.get(memberContext).id,
        });
        return await redirectWithToast(request, pageOf(params.id), {
          kind: "success",
          message: "Voltou para a fila.",
        });
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal?.kind !== "conflict") throw error;
        return await redirectWithToast(request, pageOf(params.id), {
          kind: "error",
          message: refusal.message,
        });
      }
    },
  );
}
