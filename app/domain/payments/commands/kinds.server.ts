import type { Write } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import type { Charge } from "#app/domain/payments/queries.server.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";

/**
 * What the provider answered about a charge: what it says now (null when it never heard of it), or
 * its refusal, which a kind is told only of a charge that waits.
 */
export type Answer = { said: ProviderCharge | null; refusedCode?: string };

/** What a charge becomes and does to what it pays for. `also` is written in the batch of the charge. */
export type Settlement =
  | { kind: "nothing"; also?: Write[] }
  /**
   * `isUnwanted`: while the provider was asked, what it was to pay for was stopped; a charge that
   * waits now is let go.
   */
  | {
      kind: "progress";
      status: ProviderCharge["status"];
      failureCode: string | null;
      also: Write[];
      announced?: string | null;
      isUnwanted?: boolean;
    }
  /** `announced` is the outbox message that `also` holds. */
  | {
      kind: "paid";
      isRenewal: boolean;
      /** It pays a debt, of which so much is owed now, and sells nothing. */ debt?: {
        owedCents: Cents;
      };
      /** Those that it covers, where they are several. */ periods?: {
        startsAt: Instant;
        cents: Cents;
      }[];
      /** When its only one begins, where that is later. */ beginsAt?: Instant | null;
      also: Write[];
      announced: string;
    }
  /** The money came, and must not stay; `reason` is the sentence that its payer reads. */
  | { kind: "give_back"; reason: string; log: string; also: Write[] };

/** Charges of Pix Automático, which the provider knows by their authorisation. */
export type AutomaticCharges = {
  /**
   * Asks the provider for one whose rows are committed, under their own ids: asking again makes no
   * second one. Gives what it says of the charge; null where there is nothing to apply. Throws
   * ProviderRefused and ProviderUnclear.
   */
  request(ctx: Context, charge: Charge): Promise<ProviderCharge | null>;
  /** What the provider says of one that has no id of its own there yet. Throws ProviderUnclear. */
  answer(ctx: Context, charge: Charge): Promise<Answer>;
  /** Has the provider end the code of one that nobody is to pay any more. Throws ProviderUnclear. */
  letGo(ctx: Context, charge: Charge): Promise<void>;
};

/**
 * What may be paid for, as payments need to know it. A module that sells something exports one;
 * `purchases` names them all.
 */
export type PurchaseKind = {
  /**
   * What `answer` means for the charge and for what it pays for; null when there is no such
   * purchase. Reads, decides, writes nothing.
   */
  settlement(ctx: Context, charge: Charge, answer: Answer): Promise<Settlement | null>;
  /**
   * Who pays, and the saved card that may be charged without them; null when there is no such
   * purchase. `isLeft`: they chose another way to pay it since.
   */
  payer(
    ctx: Context,
    charge: Charge,
  ): Promise<{ name: string; savedMethodId: string | null; isLeft?: boolean } | null>;
  /**
   * The statements that end what was paid for because all its money went back. They match nothing
   * when it is over already.
   */
  endedStatements(
    ctx: Context,
    charge: Charge,
    because: "refunded" | "dispute_lost",
  ): Promise<Write[]>;
  /**
   * The statements that the decision of a dispute asks for after which something is left of the
   * charge, as it is then, where what was paid for ended meanwhile.
   */
  keptStatements?(ctx: Context, charge: Charge): Promise<Write[]>;
  /** For what renews by itself. */
  automatic?: AutomaticCharges;
};

/**
 * Who asks: for what an answer of the provider does to the charge, or for what ends with its money.
 * One attempt may ask for both.
 */
type Asker = "settlement" | "end";
/** How a kind reads what decides about a charge; null when there is no such purchase. */
export type FactsOf<Facts> = (ctx: Context, charge: Charge, asker?: Asker) => Promise<Facts | null>;

/**
 * What was read beside the charge, for the first attempt: whoever asks for the same again does so
 * because something moved meanwhile.
 */
export function firstKnowing<Facts>(known: Facts | null, read: FactsOf<Facts>): FactsOf<Facts> {
  const asked = new Set<Asker>();
  let isOld = known === null;
  return async (ctx, charge, asker = "settlement") => {
    isOld ||= asked.has(asker);
    asked.add(asker);
    return isOld ? await read(ctx, charge) : known;
  };
}

/** By `charges.purchase_kind`. */
export type PurchaseKinds = Readonly<Partial<Record<Charge["purchaseKind"], PurchaseKind>>>;

/** How the provider is asked about a charge of Pix Automático; null for every other one. */
export function automaticOf(kinds: PurchaseKinds, charge: Charge): AutomaticCharges | null {
  return charge.recurringPixId === null ? null : (kindOf(kinds, charge).automatic ?? null);
}

/**
 * The kind of a charge. A word that nobody sells under is a bug, and never a reason to lose money
 * silently.
 */
export function kindOf(
  kinds: PurchaseKinds,
  charge: Pick<Charge, "id" | "purchaseKind">,
): PurchaseKind {
  const kind = kinds[charge.purchaseKind];
  if (!kind)
    throw new Error(
      `charge ${charge.id} pays for a ${charge.purchaseKind}, which nobody here sells`,
    );
  return kind;
}
