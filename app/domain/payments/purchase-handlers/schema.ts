import type { BatchWrite } from "#app/db/client.server.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import type { charges } from "#drizzle/schema/payments.ts";

export type Charge = Omit<typeof charges.$inferSelect, "status"> & { status: ChargeStatus };
type PurchaseKind = Charge["purchaseKind"];

/**
 * The provider's answer about a charge: its charge (null if unknown there), or the code of its
 * refusal. Handlers receive a refusal only for a charge that is still pending.
 */
export type ProviderAnswer = { providerCharge: ProviderCharge | null; refusedCode?: string };

/** What becomes of a charge and its purchase. `also` joins the batch of the charge. */
export type Settlement = {
  /** Called once the batch is committed. */ committed?: () => void;
} & (
  | { kind: "nothing"; extraWrites?: BatchWrite[] }
  | {
      kind: "progress";
      status: ProviderCharge["status"];
      failureCode: string | null;
      extraWrites: BatchWrite[];
      /** Id of the outbox message that `also` holds. */ announced?: string | null;
      /** The purchase was stopped while the provider was asked: the pending charge is canceled. */
      isUnwanted?: boolean;
    }
  | {
      kind: "paid";
      /** It is held for one day instead of eight. */
      isRenewal: boolean;
      /** The charge pays a debt and sells nothing; this much is owed now. */
      debt?: { owedCents: Cents };
      /** The covered periods, if there are several. */
      periods?: { startsAt: Instant; cents: Cents }[];
      /** When the only period starts, where that is later than now: the hold starts then. */
      beginsAt?: Instant | null;
      extraWrites: BatchWrite[];
      /** Id of the outbox message that `also` holds. */ announced: string;
    }
  /** The charge was paid and must be refunded in full; the payer reads `reason`. */
  | { kind: "give_back"; reason: string; log: string; extraWrites: BatchWrite[] }
);

/** Charges of Pix Automático, which the provider knows by their mandate. */
export type MandateCharges<Ctx> = {
  /**
   * Requests a charge whose rows are committed, under the charge's own id. A repeated request
   * creates no second charge. Returns the provider's charge; null if nothing is to be applied.
   * Throws ProviderRefused and ProviderUnclear.
   */
  request(ctx: Ctx, charge: Charge): Promise<ProviderCharge | null>;
  /** Returns the provider's answer about a charge that has no id there yet. Throws ProviderUnclear. */
  answer(ctx: Ctx, charge: Charge): Promise<ProviderAnswer>;
  /** Cancels the code of an abandoned charge at the provider. Throws ProviderUnclear. */
  cancelPending(ctx: Ctx, charge: Charge): Promise<void>;
};

/**
 * What was read about a purchase together with its charge. Each part belongs to the module that
 * sells it, which alone knows its type. Payments passes it on to that module's handler.
 */
export type PurchaseSnapshot = Readonly<
  Partial<Record<"subscription" | "single" | "tip" | "gift" | "debt", unknown>>
>;

/**
 * What payments must know about each kind of purchase. `snapshot` is what was read together with
 * the charge. Where it is null or incomplete, the handler reads it itself.
 *
 * `Ctx` is always Context, which holds these handlers and so cannot be imported here.
 */
export type PurchaseHandlerOf<Ctx, Snapshot> = {
  /** Builds the statements that precede the row of a purchase which is about to be paid. */
  openedStatements?(ctx: Ctx, purchase: { targetId: string; payerId: string }): BatchWrite[];
  /**
   * Builds the statements that keep what a running payment holds, before it is canceled for another
   * one of the same thing.
   */
  switchStatements?(ctx: Ctx, purchase: { targetId: string; payerId: string }): BatchWrite[];
  /**
   * Decides what the provider's answer means for the charge and its purchase; null if no such
   * purchase exists. It reads, and writes nothing.
   */
  settlement(
    ctx: Ctx,
    charge: Charge,
    answer: ProviderAnswer,
    snapshot: Snapshot | null,
  ): Promise<Settlement | null>;
  /**
   * Returns the payer and the saved card that can be charged without them; null if no such purchase
   * exists. `isLeft`: they changed their payment method since.
   */
  payer(
    ctx: Ctx,
    charge: Charge,
  ): Promise<{ name: string; savedMethodId: string | null; isLeft?: boolean } | null>;
  /**
   * Builds the statements that end the purchase after its whole charge was refunded or lost in a
   * dispute. They match nothing when it ended before.
   */
  endedStatements(
    ctx: Ctx,
    charge: Charge,
    because: "refunded" | "dispute_lost",
    snapshot: Snapshot | null,
  ): Promise<BatchWrite[]>;
  /**
   * Builds the statements for a decided dispute that left us part of the charge, where the purchase
   * ended meanwhile.
   */
  disputePartlyWonStatements?(
    ctx: Ctx,
    charge: Charge,
    snapshot: Snapshot | null,
  ): Promise<BatchWrite[]>;
  /** For purchases that renew by Pix Automático. */
  automatic?: MandateCharges<Ctx>;
};

/** The handler of each kind of purchase (`charges.purchase_kind`). */
export type PurchaseHandlersOf<Ctx> = Readonly<
  Record<PurchaseKind, PurchaseHandlerOf<Ctx, PurchaseSnapshot>>
>;
