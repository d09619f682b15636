import type { Cents } from "#app/domain/money.ts";
import { UNSCHEDULED_RELEASE_AT } from "#app/domain/payments/releases/rules/unscheduled-release.ts";
import {
  FIRST_SALE_HOLD_MS,
  RENEWAL_HOLD_MS,
} from "#app/domain/payments/releases/rules/release-time.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type {
  HeldReason,
  PayoutSchedule,
  PayoutStatus,
  PayoutWaitReason,
} from "#app/domain/payouts/schema.ts";
import type { DestinationKind } from "#app/domain/payouts/schema/destinations.ts";
import { payoutProblem, SMALL_BALANCE_AFTER_MS } from "#app/domain/payouts/rules.ts";
import type { PayoutProblem } from "#app/domain/payouts/rules.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { sendableAt } from "#app/domain/payouts/destinations/rules/destinations.ts";
import { nextScheduledAt } from "#app/domain/payouts/batches/rules/schedules.ts";

/** Why a payment is not available yet. */
export type PendingReason =
  | "going_back"
  | "leaving_now"
  | "gift"
  | "paid_ahead"
  | "card"
  | "first_pix"
  | "renewal_pix"
  | "settlement";

export type PendingSale = {
  kind: "sale";
  id: string;
  /** When it becomes available. */ at: Instant;
  cents: Cents;
  chargeId: string;
  description: string;
  method: PaymentMethod;
  beginsAt: Instant | null;
  succeededAt: Instant;
  /** How often the cron failed to release it. */ failures: number;
};
export type PendingDispute = {
  kind: "dispute";
  id: string;
  /** When it opened. */ at: Instant;
  cents: Cents;
  chargeId: string;
  description: string;
  disputeKind: "card" | "med";
  respondBy: Instant | null;
  underReviewAt: Instant | null;
};
export type PendingItem = PendingSale | PendingDispute;

/**
 * Whether a sale waits for `holdMs` since it succeeded. The date of a gift may differ from that of
 * its charge by milliseconds.
 */
const isHeldFor = (
  { at, succeededAt }: Pick<PendingSale, "at" | "succeededAt">,
  holdMs: number,
): boolean => Math.abs(at - succeededAt - holdMs) < MINUTE_MS;

/** Decides why a sale part waits until its date. Source: domain rules, "Ledger", row "released". */
export function pendingReason(
  sale: Pick<PendingSale, "at" | "method" | "beginsAt" | "succeededAt">,
  now: Instant,
): PendingReason {
  if (sale.at >= UNSCHEDULED_RELEASE_AT) return "gift";
  if (sale.at <= now) return "leaving_now";
  if (sale.beginsAt !== null && sale.at === sale.beginsAt + RENEWAL_HOLD_MS) return "paid_ahead";
  const waits = METHOD_WAITS[sale.method];
  if (isHeldFor(sale, FIRST_SALE_HOLD_MS)) return waits.first;
  return isHeldFor(sale, RENEWAL_HOLD_MS) ? waits.renewal : waits.settlement;
}

/** Why a sale of each method waits: a first one, a renewal, and until its provider settles it. */
const METHOD_WAITS: Record<
  PaymentMethod,
  Record<"first" | "renewal" | "settlement", PendingReason>
> = {
  pix: { first: "first_pix", renewal: "renewal_pix", settlement: "settlement" },
  card: { first: "card", renewal: "card", settlement: "card" },
};

export type OpenPayout = {
  id: string;
  status: PayoutStatus;
  amountCents: Cents;
  requestedAt: Instant;
  sentAt: Instant | null;
  heldReason: HeldReason | null;
  heldUntil: Instant | null;
  waitsFor?: PayoutWaitReason | null;
  waitsUntil?: Instant | null;
};

export type AvailableInput = Omit<Parameters<typeof payoutProblem>[0], "hasOpenPayout"> & {
  /** The kind of the destination; null before the creator gave one. */
  methodKind: DestinationKind | null;
  /** The documents show an age below 18: everything is refunded to the payers. */
  isUnderage: boolean;
  openPayout: OpenPayout | null;
  isBanned: boolean;
  isLeaving: boolean;
  isHeldByBooks: boolean;
  schedule: PayoutSchedule;
  /** When a payout was last requested. */
  lastRequestedAt: Instant | null;
};

/** Why the available money is not on its way. */
export type AvailableReason =
  | { why: "banned" | "underage" | "leaving" | "books" }
  | { why: "held"; payoutId: string; reason: HeldReason | null; until: Instant | null }
  | { why: "requested"; payoutId: string; at: Instant }
  | {
      why: "waits";
      payoutId: string;
      at: Instant;
      waitsFor: PayoutWaitReason;
      waitsUntil: Instant | null;
    }
  | { why: Exclude<PayoutProblem, "below_minimum" | "method_on_hold"> }
  | { why: "method_on_hold"; until: Instant | null }
  | { why: "below_minimum"; /** When it is paid out whatever its size. */ until: Instant | null }
  | { why: "asked_by_hand" }
  | { why: "scheduled"; schedule: PayoutSchedule; at: Instant };

/**
 * Decides why the available money was not paid out, with the reason to act on first.
 *
 * Decisions of people come first, then the open payout, then what is missing, then the schedule.
 * Source: domain rules, "Payouts".
 */
export function availableReason(input: AvailableInput): AvailableReason {
  const { openPayout } = input;
  if (input.isBanned) return { why: "banned" };
  if (input.isUnderage) return { why: "underage" };
  if (openPayout?.status === "held")
    return {
      why: "held",
      payoutId: openPayout.id,
      reason: openPayout.heldReason,
      until: openPayout.heldUntil,
    };
  if (input.isHeldByBooks) return { why: "books" };
  if (openPayout?.status === "requested" && openPayout.waitsFor)
    return {
      why: "waits",
      payoutId: openPayout.id,
      at: openPayout.requestedAt,
      waitsFor: openPayout.waitsFor,
      waitsUntil: openPayout.waitsUntil ?? null,
    };
  if (openPayout?.status === "requested")
    return { why: "requested", payoutId: openPayout.id, at: openPayout.requestedAt };
  const problem = payoutProblem({ ...input, hasOpenPayout: openPayout !== null });
  // The payout of a closing account has no minimum.
  if (input.isLeaving && (problem === null || problem === "below_minimum"))
    return { why: "leaving" };
  if (problem === "method_on_hold") return { why: problem, until: input.holdUntil };
  if (problem === "below_minimum")
    return {
      why: problem,
      until: input.availableSince === null ? null : input.availableSince + SMALL_BALANCE_AFTER_MS,
    };
  if (problem !== null) return { why: problem };
  const asksAt = nextScheduledAt(input.schedule, input);
  if (asksAt === null) return { why: "asked_by_hand" };
  return {
    why: "scheduled",
    schedule: input.schedule,
    at: input.methodKind === null ? asksAt : sendableAt(input.methodKind, asksAt),
  };
}

/**
 * Decides why no payout may be requested now, in the terms of the timeline; null where one may. A
 * hold by the ledger checks does not count.
 */
export function payoutRequestObstacle(input: AvailableInput): AvailableReason | null {
  const wait = availableReason({ ...input, isHeldByBooks: false });
  return wait.why === "asked_by_hand" || wait.why === "scheduled" ? null : wait;
}

export type ScheduleInput = Pick<
  AvailableInput,
  | "isBanned"
  | "isUnderage"
  | "isLeaving"
  | "isHeldByBooks"
  | "isHeldByStaff"
  | "documentsApproved"
  | "canPayOut"
  | "holdUntil"
  | "openPayout"
  | "schedule"
  | "lastRequestedAt"
  | "now"
> & { methodKind: DestinationKind };

/**
 * Returns when the next scheduled payout leaves for its destination, or null.
 *
 * INVARIANT: it returns no date while something without an end holds payouts, nor a date before the
 * wait after a key change ends. A scheduled day within that wait opens a payout that leaves at its
 * end.
 */
export function nextScheduledPayoutAt(input: ScheduleInput): Instant | null {
  if (
    input.isBanned ||
    input.isUnderage ||
    input.isLeaving ||
    input.isHeldByBooks ||
    input.isHeldByStaff ||
    input.openPayout?.status === "held"
  )
    return null;
  if (!input.documentsApproved || !input.canPayOut) return null;
  const asksAt = nextScheduledAt(input.schedule, input);
  return asksAt === null
    ? null
    : sendableAt(input.methodKind, Math.max(asksAt, input.holdUntil ?? 0));
}

export type TimelineBalances = {
  pendingCents: Cents;
  availableCents: Cents;
  reservedCents: Cents;
  inTransitCents: Cents;
  owedCents: Cents;
};

export type TimelineRow =
  | { of: "in_transit"; id: string; cents: Cents; payout: OpenPayout }
  | { of: "available"; id: string; cents: Cents; wait: AvailableReason }
  | {
      of: "reserved";
      id: string;
      cents: Cents;
      dispute: PendingDispute;
      /** The deadline to respond has passed. */ isTooLate: boolean;
    }
  | { of: "pending"; id: string; cents: Cents; sale: PendingSale; why: PendingReason }
  | { of: "owed"; id: string; cents: Cents }
  | { of: "unexplained"; id: string; cents: Cents };

export type TimelineInput = {
  balances: TimelineBalances;
  available: AvailableInput;
  waiting: readonly PendingItem[];
  /** The sum of all that waits, where `waiting` is one page of it. */ waitingCents: Cents;
};

/** Returns the payout of a row: the one on its way, or the open one beside the available money. */
export function timelineRowPayout(row: TimelineRow): string | null {
  if (row.of === "in_transit") return row.payout.id;
  return row.of === "available" && "payoutId" in row.wait ? row.wait.payoutId : null;
}

/** Returns a creator's money that was not paid out yet (centavos); below zero if they owe more. */
export const unpaidBalanceCents = ({
  pendingCents,
  availableCents,
  reservedCents,
  inTransitCents,
  owedCents,
}: TimelineBalances): Cents =>
  pendingCents + availableCents + reservedCents + inTransitCents - owedCents;

/**
 * Lists every centavo that was not paid out to a creator, each row with its reason.
 *
 * Over all pages of pending money the rows sum exactly to `unpaidBalanceCents`. Money that no row
 * explains gets its own row (`unexplained`), which is zero while the books are right. Source: issue
 * 6, "Payouts", one timeline per person.
 */
export function moneyTimeline({
  balances,
  available,
  waiting,
  waitingCents,
}: TimelineInput): TimelineRow[] {
  const { openPayout, now } = available;
  const flying =
    openPayout !== null && (openPayout.status === "claimed" || openPayout.status === "sent")
      ? openPayout
      : null;
  const flyingCents = flying?.amountCents ?? 0;
  const unexplainedCents =
    balances.pendingCents +
    balances.reservedCents -
    waitingCents +
    (balances.inTransitCents - flyingCents);
  const rows: TimelineRow[] = [
    ...(flying
      ? [{ of: "in_transit" as const, id: flying.id, cents: flyingCents, payout: flying }]
      : []),
    {
      of: "available",
      id: "available",
      cents: balances.availableCents,
      wait: availableReason(available),
    },
    { of: "owed", id: "owed", cents: -balances.owedCents },
    { of: "unexplained", id: "unexplained", cents: unexplainedCents },
    ...waiting.map((one): TimelineRow =>
      one.kind === "dispute"
        ? {
            of: "reserved",
            id: one.id,
            cents: one.cents,
            dispute: one,
            isTooLate: one.respondBy !== null && one.respondBy <= now,
          }
        : {
            of: "pending",
            id: one.id,
            cents: one.cents,
            sale: one,
            why: available.isUnderage ? "going_back" : pendingReason(one, now),
          },
    ),
  ];
  return rows.filter(({ cents }) => cents !== 0);
}
