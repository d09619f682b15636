import type { HeldReason, PayoutStatus, WaitsFor } from "#app/domain/payouts/schema.ts";

export const deskViews = ["approval", "held", "short", "under_way", "back", "all"] as const;
/** What a moderator looks at: waiting for consent, held for anything, waiting for money or for our account at the provider, on its way, failed or sent back, everything. */
export type DeskView = (typeof deskViews)[number];

export const DESK_VIEWS: Record<DeskView, { statuses: readonly PayoutStatus[]; reason: HeldReason | null; waitsFor?: readonly WaitsFor[] }> = {
  approval: { statuses: ["held"], reason: "approval" },
  held: { statuses: ["held"], reason: null },
  short: { statuses: ["requested", "claimed"], reason: null, waitsFor: ["balance", "provider"] },
  under_way: { statuses: ["requested", "claimed", "sent"], reason: null },
  back: { statuses: ["failed", "returned"], reason: null },
  all: { statuses: ["requested", "held", "claimed", "sent", "paid", "failed", "returned", "canceled"], reason: null },
};

export type DeskActs = { approve: boolean; cancel: boolean; retry: boolean; ask: boolean };

/** What may be done with a payout in its state. Source: issue 6, "approve-above-a-limit by a second moderator, retry, cancel". */
export function deskActs({ status, heldReason, approvedCents }: { status: PayoutStatus; heldReason: HeldReason | null; approvedCents: number | null }): DeskActs {
  return {
    approve: status === "held" && heldReason === "approval" && approvedCents === null,
    cancel: status === "requested" || status === "held",
    retry: status === "failed" || status === "returned",
    ask: status === "claimed" || status === "sent",
  };
}

export type BatchPart = { status: PayoutStatus; count: number; cents: number };

/** A batch in figures: all its payouts, those paid with their centavos, those that wait or are on their way, and those that failed, came back or were taken back. */
export function batchFigures(parts: readonly BatchPart[]): { count: number; paidCount: number; paidCents: number; openCount: number; backCount: number } {
  const sum = (statuses: readonly PayoutStatus[], of: "count" | "cents") => parts.filter(({ status }) => statuses.includes(status)).reduce((total, part) => total + part[of], 0);
  return {
    count: parts.reduce((total, part) => total + part.count, 0),
    paidCount: sum(["paid"], "count"),
    paidCents: sum(["paid"], "cents"),
    openCount: sum(["requested", "held", "claimed", "sent"], "count"),
    backCount: sum(["failed", "returned", "canceled"], "count"),
  };
}
