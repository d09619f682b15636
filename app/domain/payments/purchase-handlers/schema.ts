import type { BatchWrite } from "#app/db/client.server.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import type { charges } from "#drizzle/schema/payments.ts";

export type Charge = Omit<typeof charges.$inferSelect, "status"> & { status: ChargeStatus };
type PurchaseKind = Charge["purchaseKind"];

/**
 * The provider's answer about a charge: the charge as the provider has it (null when it never heard
 * of it), or the code of its refusal. Handlers see a refusal only of a charge that still waits.
 */
export type ProviderAnswer = { said: ProviderCharge | null; refusedCode?: string };

/** What becomes of a charge and its purchase. `also` is written in the batch of the charge. */
export type Settlement = {
  /** Called once the batch is committed. */ committed?: () => void;
} & (
  | { kind: "nothing"; also?: BatchWrite[] }
  | {
      kind: "progress";
      status: ProviderCharge["status"];
      failureCode: string | null;
      also: BatchWrite[];
      /** Id of the outbox message that `also` holds. */ announced?: string | null;
      /** The purchase was stopped while the provider was asked: the pending charge is canceled. */
      isUnwanted?: boolean;
    }
  | {
      kind: "paid";
      isRenewal: boolean;
      /** It pays a debt and sells nothing; so much is owed now. */
      debt?: { owedCents: Cents };
      /** The periods that it covers, where there are several. */
      periods?: { startsAt: Instant; cents: Cents }[];
      /** When the only period starts, where that is later than now. */
      beginsAt?: Instant | null;
      also: BatchWrite[];
      /** Id of the outbox message that `also` holds. */ announced: string;
    }
  /** The charge was paid and must be refunded in full; the payer reads `reason`. */
  | { kind: "give_back"; reason: string; log: string; also: BatchWrite[] }
);

/** Charges of Pix Automático, which the provider knows by their mandate. */
export type MandateCharges<Ctx> = {
  /**
   * Asks the provider for a charge whose rows are committed, under the charge's own id: asking
   * again creates no second one. Gives the provider's charge; null where there is nothing to apply.
   * Throws ProviderRefused and ProviderUnclear.
   */
  request(ctx: Ctx, charge: Charge): Promise<ProviderCharge | null>;
  /** The provider's answer about a charge that has no id there yet. Throws ProviderUnclear. */
  answer(ctx: Ctx, charge: Charge): Promise<ProviderAnswer>;
  /** Has the provider end the code of an abandoned charge. Throws ProviderUnclear. */
  letGo(ctx: Ctx, charge: Charge): Promise<void>;
};

/**
 * What was read about a purchase together with its charge. Each part belongs to the module that
 * sells it, which alone knows its type; payments passes it on to that module's handler.
 */
export type PurchaseSnapshot = Readonly<
  Partial<Record<"subscription" | "single" | "tip" | "gift" | "debt", unknown>>
>;

/**
 * What payments must know about something that can be bought. `known` is what was read about the
 * purchase together with the charge. Where it is null, or lacks something, the handler reads that
 * itself: nobody read it before, or it changed since.
 *
 * `Ctx` is always Context, which holds these handlers and so cannot be imported here.
 */
export type PurchaseHandlerOf<Ctx, Known> = {
  /**
   * What the provider's answer means for the charge and its purchase; null when there is no such
   * purchase. Reads and decides; writes nothing.
   */
  settlement(
    ctx: Ctx,
    charge: Charge,
    answer: ProviderAnswer,
    known: Known | null,
  ): Promise<Settlement | null>;
  /**
   * Who pays, and the saved card that can be charged without them; null when there is no such
   * purchase. `isLeft`: they chose another payment method since.
   */
  payer(
    ctx: Ctx,
    charge: Charge,
  ): Promise<{ name: string; savedMethodId: string | null; isLeft?: boolean } | null>;
  /**
   * The statements that end the purchase because its whole charge was refunded or lost in a
   * dispute. They match nothing when it ended before.
   */
  endedStatements(
    ctx: Ctx,
    charge: Charge,
    because: "refunded" | "dispute_lost",
    known: Known | null,
  ): Promise<BatchWrite[]>;
  /**
   * The statements for a decided dispute that left us a part of the charge, where the purchase
   * ended meanwhile.
   */
  keptStatements?(ctx: Ctx, charge: Charge, known: Known | null): Promise<BatchWrite[]>;
  /** For purchases that renew by Pix Automático. */
  automatic?: MandateCharges<Ctx>;
};

/** The handler of each kind of purchase (`charges.purchase_kind`). */
export type PurchaseHandlersOf<Ctx> = Readonly<
  Record<PurchaseKind, PurchaseHandlerOf<Ctx, PurchaseSnapshot>>
>;
