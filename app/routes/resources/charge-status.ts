import { checkoutCharge } from "#app/domain/payments/charges/queries/checkout.server.ts";
import { domainContext, viewerContext } from "#app/http/contexts.ts";
import { paymentPageState } from "#app/http/checkout/status-topic.ts";
import type { Route } from "./+types/charge-status.ts";

const HEADERS = { "Cache-Control": "no-store" };

/** Returns the status of a charge for the page that waits for it. Only its payer gets it. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  if (!viewer)
    return Response.json(
      { error: "Entre para ver este pagamento." },
      { status: 401, headers: HEADERS },
    );
  const charge = await checkoutCharge(context.get(domainContext), {
    memberId: viewer.id,
    chargeId: params.chargeId,
  });
  if (!charge)
    return Response.json(
      { error: "Não encontramos este pagamento." },
      { status: 404, headers: HEADERS },
    );
  return Response.json({ status: paymentPageState(charge) }, { headers: HEADERS });
}
