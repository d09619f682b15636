import { redirect } from "react-router";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { checkoutCharge } from "#app/domain/payments/charges/queries/checkout.server.ts";
import { resumeConfirmation } from "#app/domain/purchases/checkout/commands/payer-requests.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404, refusalOf } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/confirmation.ts";

/**
 * Redirects to the bank's confirmation page (3DS). Asks the provider for a new address, because a
 * stored one may have expired. Changes nothing here.
 */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const asked = { memberId: context.get(memberContext).id, chargeId: params.chargeId };
  foundOr404(await checkoutCharge(ctx, asked), "Não encontramos este pagamento.");
  const page = `/checkout/${params.chargeId}`;
  try {
    const { nextActionUrl } = await resumeConfirmation(ctx, asked);
    return redirect(nextActionUrl ?? page, 303);
  } catch (error) {
    const message =
      error instanceof ProviderUnclear
        ? "O banco não respondeu agora. Tente de novo em um minuto."
        : refusalOf(error)?.message;
    if (message === undefined) throw error;
    return await redirectWithToast(request, page, { kind: "error", message });
  }
}
