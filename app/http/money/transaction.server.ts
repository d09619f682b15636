import type { RouterContextProvider } from "react-router";
import { transactionForViewer } from "#app/domain/billing/statements/queries/transaction.server.ts";
import type { TransactionDetail } from "#app/domain/billing/statements/queries/transaction.server.ts";
import { withMaskedCpf } from "#app/domain/identity/tax-ids/rules.ts";
import { OPEN_TRANSFERS } from "#app/domain/payments/refund-transfers/rules.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";

type TransactionRouteContext = { context: Readonly<RouterContextProvider> };

/**
 * Loads one payment for the viewer: their own side of it, or that of a page whose money they may
 * see; a 404 for anybody else.
 */
export async function loadTransactionForViewer(
  routed: TransactionRouteContext,
  chargeId: string,
): Promise<TransactionDetail> {
  const { member, space, isOwn } = requireActor(routed, "money:see");
  const ctx = routed.context.get(domainContext);
  const detail = foundOr404(
    await transactionForViewer(ctx, {
      chargeId,
      personId: space.personId,
      isOwn,
      isModerator: member.isModerator,
      memberId: member.id,
    }),
    "Não encontramos esta transação.",
  );
  if (detail.side === "moderation")
    ctx.log("billing.transaction_opened", { chargeId, moderatorId: member.id });
  return detail;
}

/** Loads the data of a receipt. Only a paid charge has one; a creator's payment of a debt has none. */
export async function receiptSource(routed: TransactionRouteContext, chargeId: string) {
  const { charge, ...detail } = await loadTransactionForViewer(routed, chargeId);
  const succeededAt = foundOr404(
    charge.purchaseKind === "debt" ? null : charge.succeededAt,
    "Não há recibo deste pagamento.",
  );
  const refunds = detail.refunds
    .filter((refund) => refund.status !== "failed")
    .map(({ id, amountCents, settledAt }) => {
      // A refund transfer counts as refunded only once it is paid.
      const last = detail.transfers.findLast(({ refundId }) => refundId === id);
      return {
        amountCents,
        settledAt: last
          ? last.status === "paid" || last.status === "canceled"
            ? last.settledAt
            : null
          : settledAt,
      };
    });
  const ctx = routed.context.get(domainContext);
  const { document } = detail.seller;
  // Who paid reads it whole (Decreto 7.962/2013, art. 2), and so do the owner and the staff.
  const isOfTeam = detail.side === "seller" && !requireActor(routed, "money:see").isOwn;
  return {
    side: detail.side,
    charge,
    succeededAt,
    payer: detail.payer,
    seller: {
      ...detail.seller,
      document: document && isOfTeam ? withMaskedCpf(document) : document,
    },
    refunds,
    now: ctx.now(),
    company: ctx.settings.company,
  };
}

/**
 * Refunds whose refund transfer has not arrived; only the payer gets the link to enter a refund
 * key. It is a page that asks for a recent sign-in: the signed address of the email would let an
 * old session name its own key.
 */
export function pendingRefundTransfers({
  chargeId,
  isPayer,
  transfers,
}: {
  chargeId: string;
  isPayer: boolean;
  transfers: TransactionDetail["transfers"];
}) {
  return transfers
    .filter(({ status }) => OPEN_TRANSFERS.includes(status))
    .map(({ refundId, amountCents, status, isHeld }) => ({
      refundId,
      amountCents,
      isAwaitingKey: status === "awaiting_key",
      isHeld,
      keyPath: isPayer ? `/settings/transactions/${chargeId}/refund-key/${refundId}` : null,
    }));
}
