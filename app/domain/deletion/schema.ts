import { z } from "zod";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * `requested` can still be canceled. `closing` refunds money and waits for what is open. Then it is
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

/** Capitals and spaces do not matter: the phrase confirms the intention, it is not a test. */
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

/** What blocks the end of a person's account. Amounts in centavos. */
export type DeletionBlockers = {
  hasLiveSubscriptions: boolean;
  /** Somebody has a single purchase that they sold, or an unclaimed gift of one. */
  hasSoldPurchases: boolean;
  hasOpenCharges: boolean;
  hasWaitingRefunds: boolean;
  hasFailedRefunds: boolean;
  hasOpenDisputes: boolean;
  hasOpenPayout: boolean;
  /** A payout failed or was returned within the last day: the same key would fail again. */
  hasPayoutJustFailed: boolean;
  hasPendingMessages: boolean;
  availableCents: Cents;
  pendingCents: Cents;
  /** When the last pending funds become available. */
  lastReleaseAt: Instant | null;
  /** Why the available balance cannot be paid out now; null when it can. */
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
 * What deleting an account would do on its due date, if nothing changes until then. Amounts in
 * centavos.
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
  /** Posts and collections that they bought. They lose access to them. */
  purchasesCount: number;
  /** Their seats at events that are not over, which go to others. */
  seatsCount: number;
  /** Their own published events that are not over, which are canceled. */
  eventsCount: number;
  subscribersCount: number;
  refundToSubscribersCents: Cents;
  buyersCount: number;
  refundToBuyersCents: Cents;
  /** Unclaimed gifts of their plans, and what their givers would be refunded. */
  giftsCount: number;
  refundToGiversCents: Cents;
  /**
   * The part of the refunds to subscribers and buyers that their balance pays. The platform refunds
   * its fee too.
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
