import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { handledStatement } from "#app/domain/payments/commands/inbox.server.ts";
import type { ChargeUpdate } from "#app/domain/payments/commands/settle.server.ts";
import { chargeByProviderId } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/schema/purchase-handlers.ts";
import {
  chargeAnswered,
  chargeToldBy,
  deliveryAnsweredStatement,
  deliveryOf,
  deliveryOfChargeStatement,
  purchaseOf,
} from "#app/domain/payments/queries/deliveries.server.ts";
import type { Told } from "#app/domain/payments/queries/deliveries.server.ts";
import { chargeAlone } from "#app/domain/payments/queries/money.server.ts";
import type { ChargeMoney } from "#app/domain/payments/queries/money.server.ts";
import { madeBy } from "#app/domain/payments/rules/providers.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { settleCharge } from "#app/domain/payments/commands/settle.server.ts";
import {
  reversalOf,
  reversalStatements,
} from "#app/domain/purchases/queries/settlement-snapshots.server.ts";
import type { PurchaseParts } from "#app/domain/purchases/commands/handlers.server.ts";
import {
  purchaseSnapshotOf,
  purchaseStatements,
} from "#app/domain/purchases/queries/purchase-snapshot.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/commands/kind.server.ts";
import {
  agreementBeside,
  settleAgreement,
  settleAuthorisationQuietly,
} from "#app/domain/subscriptions/commands/automatic/authorisation.server.ts";
import {
  authorisationStatement,
  chargeTold,
} from "#app/domain/subscriptions/queries/automatic/authorisations.server.ts";
import type { Authorisation } from "#app/domain/subscriptions/schema/automatic.ts";
import { foundOnceAnswered, readsOfAnswer, readsOfDelivery } from "./found.ts";
import type { Found, Problem, Reading, Telling } from "./found.ts";

const deliveryReads = ({ db, inboxId }: Pick<Reading, "db" | "inboxId">) =>
  ({
    delivery: [deliveryOfChargeStatement({ db }, { inboxId })],
    authorisation: [
      authorisationStatement(
        { db },
        {
          authorisationId: chargeToldBy({ inboxId })(
            sql`CASE WHEN told.debit_on IS NULL THEN told.recurring_pix_id END`,
          ),
        },
      ),
    ],
  }) as const;
const READS = readsOfDelivery((reading) => ({
  ...deliveryReads(reading),
  purchase: purchaseStatements(reading, { ...purchaseOf(chargeToldBy(reading)), now: reading.now }),
}));
/** Of what was paid, money may have been refunded at the provider. */
const READS_PAID = readsOfDelivery((reading) => ({
  ...deliveryReads(reading),
  ...reversalStatements(chargeToldBy(reading), reading),
}));

/** The delivery alone. */
const DELIVERY = readsOfDelivery(({ db, inboxId }) => ({
  delivery: [deliveryOfChargeStatement({ db }, { inboxId })],
}));

const ORDERED = readsOfAnswer((reading) => ({
  delivery: [deliveryAnsweredStatement(reading, reading)],
  purchase: purchaseStatements(reading, {
    ...purchaseOf(chargeAnswered(reading)),
    now: reading.now,
  }),
}));

type Delivery = Pick<Told, "event" | "charge" | "back"> & {
  purchase: PurchaseParts & { subscription: SubscriptionSnapshot };
  money: ChargeMoney | null;
  /** Whose code the charge pays. */ authorisation: Authorisation | null;
};

/**
 * A delivery about a charge, with that charge and what it pays for; and where it was paid when the
 * delivery came, with what decides about money that is refunded.
 */
export async function chargeFound(
  ctx: Context,
  { inboxId, isPaid = false }: Pick<Telling, "inboxId" | "isPaid">,
): Promise<Found | null> {
  const { rows, money, purchase } = isPaid
    ? await readPaid(ctx, inboxId)
    : await readUnpaid(ctx, inboxId);
  const told = deliveryOf(rows.delivery[0]);
  if (!told) return null;
  const [authorisation = null] = rows.authorisation[0];
  const debt = told.owedCents === null ? null : { owedCents: told.owedCents };
  return {
    event: told.event,
    apply: async () =>
      await settled(
        ctx,
        { ...told, authorisation, money, purchase: { ...purchase, debt } },
        told.event.objectId,
      ),
  };
}

async function readUnpaid(ctx: Context, inboxId: string) {
  const rows = await READS(ctx, inboxId);
  return { rows, money: null, purchase: purchaseSnapshotOf(ctx, rows.purchase) };
}

async function readPaid(ctx: Context, inboxId: string) {
  const rows = await READS_PAID(ctx, inboxId);
  const { money, purchase } = reversalOf(ctx, rows);
  return { rows, money, purchase };
}

/**
 * A delivery about an order to the payer's bank: it is one about the charge that is to be debited,
 * which the provider names.
 */
export async function instructionFound(ctx: Context, telling: Telling): Promise<Found | null> {
  return await foundOnceAnswered(ctx, telling, {
    ask: async (provider, objectId) => await provider.instructionById(objectId),
    find: async (told, { chargeId: providerChargeId }) =>
      await ordered(ctx, told, providerChargeId),
  });
}

async function ordered(
  ctx: Context,
  telling: Telling,
  providerChargeId: string,
): Promise<Found | null> {
  const rows = await ORDERED(ctx, telling, { providerChargeId });
  const told = deliveryOf(rows.delivery[0]);
  return (
    told && {
      event: told.event,
      apply: async () =>
        await settled(
          ctx,
          {
            ...told,
            authorisation: null,
            money: null,
            purchase: purchaseSnapshotOf(ctx, rows.purchase),
          },
          providerChargeId,
        ),
    }
  );
}

/** A delivery about what this product does not know. */
export async function otherFound(ctx: Context, { inboxId }: Telling): Promise<Found | null> {
  const told = deliveryOf((await DELIVERY(ctx, inboxId)).delivery[0]);
  return told && { event: told.event, apply: async () => ({ reason: "unknown_type" }) };
}

/**
 * The event may come before we could write the provider's id: its reference is our charge's id,
 * which we wrote first.
 */
async function settled(
  ctx: Context,
  { event, charge: known, back, money, purchase, authorisation }: Delivery,
  providerChargeId: string,
): Promise<Problem | null> {
  const { provider } = event;
  const told = await madeBy(ctx, { provider }).chargeById(providerChargeId);
  const charge =
    known ??
    (await chargeByProviderId(ctx, { provider, providerChargeId })) ??
    (await chargeTold(ctx, { provider, said: told }));
  // What one provider says is never about a charge of another.
  if (charge?.provider !== provider) return { reason: "unknown_charge" };
  if (isPaidAgain(charge, told))
    return { reason: "second_payment", about: { chargeId: charge.id } };
  const said = isAttempt(charge, told)
    ? await madeBy(ctx, charge).chargeById(charge.providerChargeId)
    : told;
  const update = {
    chargeId: charge.id,
    said,
    extraWrites: [handledStatement(ctx, { inboxId: event.id })],
  };
  if (!known) return await settledUnread(ctx, charge, update);
  // The payment in the code of an authorisation: whether that pays the renewals too is asked at
  // once, and by reconciliation.
  const agreement = authorisation && (await agreementBeside(ctx, authorisation));
  const snapshot = {
    charge,
    back,
    money,
    purchase: { ...purchase, subscription: { ...purchase.subscription, agreement } },
  };
  await settleCharge(ctx, { ...update, snapshot });
  if (authorisation) await settleAgreement(ctx, authorisation, agreement);
  return null;
}

/**
 * Whether a provider tells of another payment under the reference of a charge that was paid: what
 * came in twice is for a human to give back, and is booked nowhere here.
 */
const isPaidAgain = ({ succeededAt, providerChargeId }: Charge, told: ProviderCharge): boolean =>
  succeededAt !== null && told.status === "succeeded" && told.id !== providerChargeId;

/**
 * Whether a provider tells of an attempt to pay a charge that it knows by another id: whether that
 * can still be paid is said by that one alone, as Stripe's own page stays open whatever a card at
 * it came to. What was paid counts by whatever id.
 */
const isAttempt = (
  charge: Charge,
  told: ProviderCharge,
): charge is Charge & { providerChargeId: string } =>
  charge.providerChargeId !== null &&
  charge.providerChargeId !== told.id &&
  told.status !== "succeeded";

/** Of a charge that was not known by the provider's id nothing was read beside it. */
async function settledUnread(ctx: Context, charge: Charge, update: ChargeUpdate): Promise<null> {
  await settleCharge(ctx, { ...update, snapshot: chargeAlone(charge) });
  if (charge.recurringPixId !== null && charge.debitOn === null)
    await settleAuthorisationQuietly(ctx, { authorisationId: charge.recurringPixId });
  return null;
}
