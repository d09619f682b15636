import type { Cents } from "#app/domain/money.ts";
import { isReleasable, isAwaitingPayment } from "#app/domain/payments/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { UNSCHEDULED_RELEASE_AT } from "#app/domain/payments/releases/rules/unscheduled-release.ts";
import type { RefundTransferStatus } from "#app/domain/payments/refund-transfers/rules.ts";
import type { ReleasePart } from "#app/domain/payments/releases/rules/releases.ts";
import type { Instant } from "#app/domain/time.ts";
import type { TransactionSide } from "./figures.ts";

export type PaymentEventKind =
  | "created"
  | "waiting"
  | "failed"
  | "expired"
  | "canceled"
  | "succeeded"
  | "refund_requested"
  | "refund_succeeded"
  | "refund_failed"
  | "refund_awaits_key"
  | "refund_sending"
  | "refund_key_failed"
  | "refund_by_bank"
  | "dispute_opened"
  | "dispute_won"
  | "dispute_lost"
  | "released"
  | "to_release";

/**
 * One event of a payment. `to_release` is in the future. `note` is a reason in Portuguese. `cents`
 * is the amount that moved.
 */
export type PaymentEvent = {
  kind: PaymentEventKind;
  at: Instant;
  cents: Cents | null;
  note: string | null;
};

export type TimelineTransfer = {
  refundId: string;
  status: RefundTransferStatus;
  amountCents: Cents;
  createdAt: Instant;
  keyGivenAt: Instant | null;
  settledAt: Instant | null;
};

export type TimelinePayment = {
  status: ChargeStatus;
  createdAt: Instant;
  /** When the provider was last asked. For a charge that ended unpaid, when that was known. */
  askedAt: Instant;
  expiresAt: Instant | null;
  succeededAt: Instant | null;
  /** The release parts of its net. */
  releases: Pick<
    ReleasePart,
    "netCents" | "takenCents" | "disputedCents" | "releaseAt" | "releasedAt"
  >[];
  refunds: {
    id: string;
    amountCents: Cents;
    status: "requested" | "succeeded" | "failed";
    reason: string;
    createdAt: Instant;
    settledAt: Instant | null;
  }[];
  /** The refund transfers, attempt by attempt. */
  transfers: TimelineTransfer[];
  disputes: {
    amountCents: Cents;
    status: "open" | "won" | "lost";
    createdAt: Instant;
    settledAt: Instant | null;
  }[];
};

/**
 * Returns the events of a payment, oldest first, as one side may see them. Release dates are for
 * the seller alone.
 */
export function paymentTimeline(side: TransactionSide, payment: TimelinePayment): PaymentEvent[] {
  const plain = (kind: PaymentEventKind, at: Instant): PaymentEvent => ({
    kind,
    at,
    cents: null,
    note: null,
  });
  const moments: PaymentEvent[] = [plain("created", payment.createdAt)];
  if (payment.succeededAt !== null) moments.push(plain("succeeded", payment.succeededAt));
  else moments.push(...endOf(payment).map(({ kind, at }) => plain(kind, at)));
  moments.push(
    ...payment.refunds.flatMap((refund) =>
      refundMoments(
        refund,
        payment.transfers.filter(({ refundId }) => refundId === refund.id),
      ),
    ),
    ...payment.disputes.flatMap(disputeMoments),
  );
  if (side !== "payer") moments.push(...releaseMoments(payment));
  return moments.toSorted((one, other) => one.at - other.at);
}

type TimedEvent = { kind: PaymentEventKind; at: Instant };

function endOf({ status, askedAt, expiresAt, createdAt }: TimelinePayment): TimedEvent[] {
  if (isAwaitingPayment(status)) return [{ kind: "waiting", at: Math.max(createdAt, askedAt) }];
  if (status === "expired") return [{ kind: "expired", at: expiresAt ?? askedAt }];
  return status === "failed" || status === "canceled" ? [{ kind: status, at: askedAt }] : [];
}

function refundMoments(
  { amountCents, status, reason, createdAt, settledAt }: TimelinePayment["refunds"][number],
  transfers: TimelineTransfer[],
): PaymentEvent[] {
  const requested: PaymentEvent = {
    kind: "refund_requested",
    at: createdAt,
    cents: amountCents,
    note: reason,
  };
  if (transfers.length > 0) return [requested, ...transfers.map(transferMoment)];
  if (status === "requested" || settledAt === null) return [requested];
  // Nearly every refund is confirmed at once: then one line says it all.
  const settled: PaymentEvent = {
    kind: status === "succeeded" ? "refund_succeeded" : "refund_failed",
    at: settledAt,
    cents: amountCents,
    note: null,
  };
  return settledAt - createdAt < SAME_MOMENT_MS && status === "succeeded"
    ? [{ ...settled, note: reason }]
    : [requested, settled];
}

const TRANSFER_MOMENTS: Record<RefundTransferStatus, PaymentEventKind> = {
  awaiting_key: "refund_awaits_key",
  ready: "refund_sending",
  claimed: "refund_sending",
  sent: "refund_sending",
  paid: "refund_succeeded",
  failed: "refund_key_failed",
  returned: "refund_key_failed",
  canceled: "refund_by_bank",
};

function transferMoment({
  status,
  amountCents,
  createdAt,
  keyGivenAt,
  settledAt,
}: TimelineTransfer): PaymentEvent {
  return {
    kind: TRANSFER_MOMENTS[status],
    at: settledAt ?? keyGivenAt ?? createdAt,
    cents: amountCents,
    note: null,
  };
}

const SAME_MOMENT_MS = 60_000;

function disputeMoments({
  amountCents,
  status,
  createdAt,
  settledAt,
}: TimelinePayment["disputes"][number]): PaymentEvent[] {
  const opened: PaymentEvent = {
    kind: "dispute_opened",
    at: createdAt,
    cents: amountCents,
    note: null,
  };
  return status === "open" || settledAt === null
    ? [opened]
    : [
        opened,
        {
          kind: status === "won" ? "dispute_won" : "dispute_lost",
          at: settledAt,
          cents: amountCents,
          note: null,
        },
      ];
}

/**
 * Returns when each release part became or becomes available, with its amount when there are
 * several. Leaves out refunded and disputed funds.
 */
function releaseMoments({ status, releases }: TimelinePayment): PaymentEvent[] {
  return releases.flatMap(
    ({ netCents, takenCents, disputedCents, releaseAt, releasedAt }): PaymentEvent[] => {
      const leftCents = netCents - takenCents - disputedCents;
      const cents = releases.length > 1 ? leftCents : null;
      if (releasedAt !== null) return [{ kind: "released", at: releasedAt, cents, note: null }];
      return leftCents > 0 && isReleasable(status) && releaseAt < UNSCHEDULED_RELEASE_AT
        ? [{ kind: "to_release", at: releaseAt, cents, note: null }]
        : [];
    },
  );
}
