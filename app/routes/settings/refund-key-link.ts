import { redirect } from "react-router";
import { refundKeyPath } from "#app/domain/payments/refund-transfers/queries.server.ts";
import { requireReauthentication } from "#app/http/identity/account.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { loadTransactionForViewer } from "#app/http/money/transaction.server.ts";
import type { Route } from "./+types/refund-key-link.ts";

/** Leads the payer to where they name their Pix key, after a recent sign-in. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { side, transfers } = await loadTransactionForViewer({ context }, params.id);
  const { refundId } = foundOr404(
    (side === "payer" && transfers.find((transfer) => transfer.refundId === params.refundId)) ||
      null,
    "Não encontramos esta devolução.",
  );
  await requireReauthentication(
    { env: context.get(cloudflareContext).env, ctx, request },
    `/settings/transactions/${params.id}/refund-key/${refundId}`,
  );
  return redirect(await refundKeyPath(ctx, { refundId }));
}
