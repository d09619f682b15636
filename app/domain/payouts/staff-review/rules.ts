import type { Cents } from "#app/domain/money.ts";
import { heldReasons, payoutStatuses } from "#app/domain/payouts/schema.ts";
import type { HeldReason, PayoutStatus, PayoutWaitReason } from "#app/domain/payouts/schema.ts";

export const reviewViews = ["approval", "held", "short", "under_way", "back", "all"] as const;
/**
 * A staff view of payouts: for approval, held, waiting for money or our account at the provider, on
 * their way, failed or returned, all.
 */
export type ReviewView = (typeof reviewViews)[number];

export const REVIEW_VIEW_FILTERS: Record<
  ReviewView,
  {
    statuses: readonly PayoutStatus[];
    reason: HeldReason | null;
    waitsFor?: readonly PayoutWaitReason[];
  }
> = {
  approval: { statuses: ["held"], reason: "approval" },
  held: { statuses: ["held"], reason: null },
  short: {
    statuses: ["requested", "claimed"],
    reason: null,
    waitsFor: ["balance", "provider", "key_owner"],
  },
  under_way: { statuses: ["requested", "claimed", "sent"], reason: null },
  back: { statuses: ["failed", "returned"], reason: null },
  all: {
    statuses: ["requested", "held", "claimed", "sent", "paid", "failed", "returned", "canceled"],
    reason: null,
  },
};

export type AllowedStaffActions = {
  approve: boolean;
  cancel: boolean;
  retry: boolean;
  ask: boolean;
  /** Record that the bank has the money of a reversed payout. */ record: boolean;
};

/**
 * Returns which staff actions a payout's status allows. Source: issue 6, "approve-above-a-limit by
 * a second moderator, retry, cancel".
 */
export function allowedStaffActions({
  status,
  heldReason,
  approvedCents,
  providerTransferId,
}: {
  status: PayoutStatus;
  heldReason: HeldReason | null;
  approvedCents: number | null;
  providerTransferId: string | null;
}): AllowedStaffActions {
  return {
    approve: status === "held" && heldReason === "approval" && approvedCents === null,
    cancel: status === "requested" || status === "held",
    retry: status === "failed" || status === "returned",
    ask: status === "claimed" || status === "sent",
    record: (status === "failed" || status === "returned") && providerTransferId !== null,
  };
}

/**
 * The payouts of a batch in one status; held ones also by reason. `openCount`: failed or returned
 * ones without a later payout, or held ones whose approval nobody gave.
 */
export type BatchGroup = {
  status: PayoutStatus;
  heldReason: HeldReason | null;
  openCount: number;
  count: number;
  cents: Cents;
};

/** Which payouts of a batch are listed. */
export type BatchFilter = {
  status: PayoutStatus;
  /** Only held payouts with this reason; null for all. */ heldReason: HeldReason | null;
};

/** What needs attention comes first. */
const BATCH_ORDER: readonly PayoutStatus[] = [
  "held",
  "failed",
  "returned",
  "requested",
  "claimed",
  "sent",
  "paid",
  "canceled",
];

export const sortBatchParts = (parts: readonly BatchGroup[]): BatchGroup[] =>
  parts.toSorted(
    (one, other) =>
      BATCH_ORDER.indexOf(one.status) - BATCH_ORDER.indexOf(other.status) ||
      (one.heldReason ?? "").localeCompare(other.heldReason ?? ""),
  );

/**
 * Parses which payouts of a batch a URL asks for. Without one it returns what needs attention
 * first; null for a batch without payouts.
 */
export function parseBatchFilter(
  parts: readonly BatchGroup[],
  { state, why }: { state: string | null; why: string | null },
): BatchFilter | null {
  const named = payoutStatuses.find((one) => one === state);
  if (named)
    return {
      status: named,
      heldReason: named === "held" ? (heldReasons.find((one) => one === why) ?? null) : null,
    };
  const [first] = sortBatchParts(parts);
  return first ? { status: first.status, heldReason: null } : null;
}

/**
 * Counts how many payouts of a batch may be retried, and how many may be canceled. Source: issue 6,
 * "batch page".
 */
export function batchActionCounts(parts: readonly BatchGroup[]): {
  retryCount: number;
  cancelCount: number;
} {
  const sum = (statuses: readonly PayoutStatus[], of: "count" | "openCount") =>
    parts
      .filter(({ status }) => statuses.includes(status))
      .reduce((total, part) => total + part[of], 0);
  return {
    retryCount: sum(["failed", "returned"], "openCount"),
    cancelCount: sum(["requested", "held"], "count"),
  };
}

/**
 * Counts a batch's payouts: all, paid (with centavos), waiting or on their way, and failed,
 * returned or canceled.
 */
export function batchFigures(parts: readonly Pick<BatchGroup, "status" | "count" | "cents">[]): {
  count: number;
  paidCount: number;
  paidCents: number;
  openCount: number;
  backCount: number;
} {
  const sum = (statuses: readonly PayoutStatus[], of: "count" | "cents") =>
    parts
      .filter(({ status }) => statuses.includes(status))
      .reduce((total, part) => total + part[of], 0);
  return {
    count: parts.reduce((total, part) => total + part.count, 0),
    paidCount: sum(["paid"], "count"),
    paidCents: sum(["paid"], "cents"),
    openCount: sum(["requested", "held", "claimed", "sent"], "count"),
    backCount: sum(["failed", "returned", "canceled"], "count"),
  };
}
