import { useCallback } from "react";
import { useNavigation, useRevalidator } from "react-router";
import {
  AlreadyBoughtCard,
  ChargeConfirmationCard,
  DisputedCard,
  PaidCard,
  ProcessingCard,
  RefundedCard,
  RefundPendingCard,
  RetryPaymentCard,
} from "#app/components/checkout/charge/charge-outcome.tsx";
import { MandateAnswered } from "#app/components/checkout/pix/mandate-outcome.tsx";
import { PixPending } from "#app/components/checkout/pix/pix-pending.tsx";
import { unpaidText } from "#app/components/checkout/charge/unpaid-text.ts";
import { methodTexts } from "#app/components/payments/method-words.ts";
import { TipPaidCard } from "#app/components/tips/tip-paid-card.tsx";
import { isRefundable } from "#app/domain/payments/rules.ts";
import { declineMessage } from "#app/domain/subscriptions/errors.ts";
import type { ChargeView } from "./charge-view.server.ts";

type ChargeOutcomeProps = {
  charge: ChargeView;
  /** What the provider said when the payer asked. */
  answer: string | null;
};

/** What became of a charge, and what its payer can do now. */
export function ChargeOutcome({ charge, answer }: ChargeOutcomeProps) {
  const { revalidate } = useRevalidator();
  const isAsking = useNavigation().state !== "idle";
  const onEnd = useCallback(() => void revalidate(), [revalidate]);
  if (charge.boughtPath) return <AlreadyBoughtCard path={charge.boughtPath} />;
  if (charge.pix)
    return (
      <PixPending
        {...charge.pix}
        automatic={charge.automatic}
        amountCents={charge.amountCents}
        description={charge.description}
        answer={answer}
        isAsking={isAsking}
        onEnd={onEnd}
      />
    );
  if (charge.isReturning)
    return <RefundPendingCard reason={charge.refundReason} isRefused={charge.isRefundRefused} />;
  if (isRefundable(charge.status) && charge.kind === "tip") return <TipPaidCard {...charge} />;
  if (isRefundable(charge.status))
    return (
      <>
        {charge.automatic ? <MandateAnswered {...charge.automatic} /> : null}
        <PaidCard {...charge} />
      </>
    );
  if (charge.status === "requires_action")
    return (
      <ChargeConfirmationCard
        chargeId={charge.id}
        isRenewal={charge.renewsSubscriptionId !== null}
        answer={answer}
        isAsking={isAsking}
      />
    );
  return <EndedOutcome charge={charge} />;
}

/** A charge that no longer waits for its payer, and did not pay for anything. */
function EndedOutcome({ charge }: { charge: ChargeView }) {
  const { status, creatorPath, creatorName } = charge;
  if (status === "refunded") {
    return (
      <RefundedCard
        id={charge.id}
        method={charge.method}
        reason={charge.refundReason}
        refundedCents={charge.refundedCents}
        transfer={charge.transfer}
        creatorPath={creatorPath}
        creatorName={creatorName}
      />
    );
  }
  if (status === "disputed" || status === "dispute_lost")
    return (
      <DisputedCard
        isLost={status === "dispute_lost"}
        hasEnded={charge.hasEnded}
        disputedCents={charge.disputedCents}
        amountCents={charge.amountCents}
      />
    );
  if (status === "expired" || status === "canceled") {
    return (
      <RetryPaymentCard
        {...charge}
        text={unpaidText({ status, method: charge.method }).text}
        label={methodTexts[charge.method].retryLabel}
      />
    );
  }
  if (status === "failed")
    return (
      <RetryPaymentCard
        {...charge}
        text={declineMessage(charge.failureCode)}
        label="Tentar de novo"
      />
    );
  return <ProcessingCard />;
}
