import { z } from "zod";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import type { DestinationKind } from "#app/domain/payouts/schema/destinations.ts";

export const payoutStatuses = [
  "requested",
  "held",
  "claimed",
  "sent",
  "paid",
  "failed",
  "returned",
  "canceled",
] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

export const payoutSchedules = ["manual", "weekly", "monthly"] as const;
export type PayoutSchedule = (typeof payoutSchedules)[number];

/**
 * Why a payout is held: documents not approved, a changed destination, a moderator's hold, or an
 * amount above the limit. `owner_differs`: the key owner differs from the documents.
 */
export const heldReasons = [
  "documents",
  "changed_method",
  "moderation",
  "approval",
  "owner_differs",
] as const;
export type HeldReason = (typeof heldReasons)[number];

/**
 * The owner of a bank account, by the documents at the claim; null for a Pix key and before the
 * claim.
 */
export type AccountOwner = { ownerName: string | null; ownerTaxId: string | null };

/**
 * What a payout that may leave waits for: bank hours, money at the provider, the provider to accept
 * our account again, or the key owner.
 */
export type PayoutWaitReason = "business_day" | "balance" | "provider" | "key_owner";

const reasonSchema = z
  .string({ error: "Escreva o motivo" })
  .trim()
  .min(1, "Escreva o motivo")
  .max(300, "O motivo tem até 300 letras");

const holdSchema = z.object({ act: z.literal("hold"), reason: reasonSchema });
const releaseSchema = z.object({ act: z.literal("release") });

/** What a moderator does to all payouts of a person, future ones too. */
export const payeeReviewSchema = z.discriminatedUnion("act", [holdSchema, releaseSchema]);

/**
 * What a moderator does to one payout in staff review. `seenCents` is the amount that they saw, in
 * centavos. `seenPlace` is the destination signature of the page.
 */
export const staffReviewSchema = z.discriminatedUnion("act", [
  z.object({
    act: z.literal("approve"),
    seenCents: z.coerce.number().int().positive(),
    seenPlace: z.string(),
  }),
  holdSchema,
  releaseSchema,
  z.object({ act: z.literal("cancel"), reason: reasonSchema }),
  z.object({ act: z.literal("retry") }),
  z.object({ act: z.literal("ask") }),
  z.object({ act: z.literal("record") }),
]);

/** What a moderator does to a batch, page by page. `after` is where the previous page ended. */
export const batchActionSchema = z.discriminatedUnion("act", [
  z.object({ act: z.literal("retry"), after: z.string().max(64).default("") }),
  z.object({
    act: z.literal("cancel"),
    after: z.string().max(64).default(""),
    reason: reasonSchema,
  }),
]);

export type Payout = {
  id: string;
  creatorId: string;
  batchId: string | null;
  amountCents: Cents;
  status: PayoutStatus;
  pixKeyKind: DestinationKind;
  pixKey: string;
  provider: string;
  providerTransferId: string | null;
  failureCode: string | null;
  requestedAt: Instant;
  claimedAt: Instant | null;
  /** When the provider was last asked to send it; null until then. */
  sendAskedAt: Instant | null;
  /** The first of those calls with an unconfirmed outcome; null until the provider was asked. */
  unsureSince: Instant | null;
  sentAt: Instant | null;
  settledAt: Instant | null;
  actedBy: string | null;
  heldReason: HeldReason | null;
  heldUntil: Instant | null;
  approvedBy: string | null;
  approvedCents: Cents | null;
  waitsFor: PayoutWaitReason | null;
  waitsUntil: Instant | null;
  /** The provider's cost for sending it, as booked; null until the provider reports it. */
  costCents: Cents | null;
} & AccountOwner;

export type WithdrawalMethod = {
  pixKeyKind: DestinationKind;
  pixKey: string;
  schedule: PayoutSchedule;
  holdUntil: Instant | null;
  updatedAt: Instant;
};
