import { z } from "zod";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * `requested` may still be taken back; `closing` gives money back and waits for what is open; then
 * `done`.
 */
const deletionStatuses = ["requested", "closing", "done", "canceled"] as const;
export type DeletionStatus = (typeof deletionStatuses)[number];

export type AccountDeletion = {
  id: string;
  personId: string;
  status: DeletionStatus;
  requestedAt: Instant;
  dueAt: Instant;
  remindedAt: Instant | null;
  letterTo: string | null;
  finishedAt: Instant | null;
};

export const DELETION_PHRASE = "excluir minha conta";

/**
 * Typed with or without capitals, and however many spaces: the phrase is there to be meant, not to
 * be a test.
 */
export const deletionSchema = z.object({
  phrase: z
    .string({ error: "Campo obrigatório" })
    .transform((typed) => typed.trim().replaceAll(/\s+/g, " ").toLowerCase())
    .pipe(
      z
        .string()
        .min(1, "Campo obrigatório")
        .refine((typed) => typed === DELETION_PHRASE, `Digite exatamente: ${DELETION_PHRASE}`),
    ),
});

/** What stands between a person and the end of their account; amounts in centavos. */
export type DeletionBlockers = {
  hasLiveSubscriptions: boolean;
  /** Somebody holds what they sold by itself, or waits with a gift of it. */
  hasSoldPurchases: boolean;
  hasOpenCharges: boolean;
  hasWaitingRefunds: boolean;
  hasFailedRefunds: boolean;
  hasOpenDisputes: boolean;
  hasOpenPayout: boolean;
  /** A payout failed or came back within a day: the same key would fail again. */
  hasPayoutJustFailed: boolean;
  hasUntoldMessages: boolean;
  availableCents: Cents;
  pendingCents: Cents;
  /** When the last of what is pending is free. */
  lastReleaseAt: Instant | null;
  /** Why what is available could not be paid out now; null when it can. */
  payoutProblem:
    | "no_method"
    | "documents"
    | "no_provider"
    | "method_on_hold"
    | "held_by_staff"
    | "banned"
    | null;
};

export type WaitReason =
  | {
      kind:
        | "subscriptions"
        | "purchases"
        | "charges"
        | "refunds"
        | "failed_refunds"
        | "disputes"
        | "payout"
        | "messages";
    }
  | { kind: "pending"; pendingCents: Cents; until: Instant | null }
  | {
      kind: "balance";
      availableCents: Cents;
      problem:
        | "no_method"
        | "documents"
        | "no_provider"
        | "method_on_hold"
        | "held_by_staff"
        | "banned"
        | "payout_failed";
    };

/**
 * What deleting an account would mean on the day it is due, were nothing to change until then;
 * amounts in centavos.
 */
export type DeletionPreview = {
  subscriptions: {
    id: string;
    planName: string;
    creatorName: string;
    accessUntil: Instant | null;
    refundCents: Cents;
  }[];
  refundToThemCents: Cents;
  /** Posts and collections that they bought: without them, nobody has them. */
  purchasesCount: number;
  subscribersCount: number;
  refundToSubscribersCents: Cents;
  buyersCount: number;
  refundToBuyersCents: Cents;
  /** Gifts of their plans that nobody claimed yet, and what their givers would have back. */
  giftsCount: number;
  refundToGiversCents: Cents;
  /**
   * What of the refunds to subscribers and buyers comes out of their balance; the platform gives
   * its fee back too.
   */
  refundFromBalanceCents: Cents;
  availableCents: Cents;
  pendingCents: Cents;
  reservedCents: Cents;
  inTransitCents: Cents;
  owedCents: Cents;
  postsCount: number;
  keysCount: number;
};
