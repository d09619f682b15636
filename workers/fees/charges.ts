import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { handledStatement } from "#app/domain/payments/commands/inbox.server.ts";
import type { News } from "#app/domain/payments/commands/settle.server.ts";
import { chargeByProviderId } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/queries.server.ts";
import {
  chargeAnswered,
  chargeToldBy,
  deliveryAnsweredStatement,
  deliveryOf,
  deliveryOfChargeStatement,
  purchaseOf,
} from "#app/domain/payments/queries/deliveries.server.ts";
import type { Told } from "#app/domain/payments/queries/deliveries.server.ts";
import type { ChargeMoney } from "#app/domain/payments/queries/money.server.ts";
import { madeBy } from "#app/domain/payments/rules/providers.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { settleCharge } from "#app/domain/purchases/commands/settle.server.ts";
import { besideOf, besideStatements } from "#app/domain/purchases/queries/beside.server.ts";
import { paidForOf, paidForStatements } from "#app/domain/purchases/queries/paid-for.server.ts";
import type { PaidFor } from "#app/domain/purchases/queries/paid-for.server.ts";
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

const codeOf = ({ db, inboxId }: Pick<Reading, "db" | "inboxId">) =>
  [
    deliveryOfChargeStatement({ db }, { inboxId }),
    authorisationStatement(
      { db },
      {
        authorisationId: chargeToldBy({ inboxId })(
          sql`CASE WHEN told.debit_on IS NULL THEN told.recurring_pix_id END`,
        ),
      },
    ),
  ] as const;
const READS = readsOfDelivery((reading) => [
  ...codeOf(reading),
  ...paidForStatements(reading, { ...purchaseOf(chargeToldBy(reading)), now: reading.now }),
]);
/** Of what was paid, money may have gone back at the provider. */
const READS_PAID = readsOfDelivery((reading) => [
  ...codeOf(reading),
  ...besideStatements(chargeToldBy(reading), reading),
]);

/** The delivery alone. */
const DELIVERY = readsOfDelivery(({ db, inboxId }) => [
  deliveryOfChargeStatement({ db }, { inboxId }),
]);

const ORDERED = readsOfAnswer((reading) => [
  deliveryAnsweredStatement(reading, reading),
  ...paidForStatements(reading, { ...purchaseOf(chargeAnswered(reading)), now: reading.now }),
]);

type Delivery = Pick<Told, "event" | "charge" | "back"> & {
  paidFor: PaidFor;
  money: ChargeMoney | null;
  /** Whose code the charge pays. */ authorisation: Authorisation | null;
};

/**
 * A delivery about a charge, with that charge and what it pays for; and where it was paid when the
 * delivery came, with what money does that goes back.
 */
export async function chargeFound(
  ctx: Context,
  { inboxId, isPaid = false }: Pick<Telling, "inboxId" | "isPaid">,
): Promise<Found | null> {
  const {
    delivery,
    authorisation = null,
    money,
    paidFor,
  } = isPaid ? await readPaid(ctx, inboxId) : await readUnpaid(ctx, inboxId);
  const told = deliveryOf(delivery);
  if (!told) return null;
  const debt = told.owedCents === null ? null : { owedCents: told.owedCents };
  return {
    event: told.event,
    apply: async () =>
      await settled(
        ctx,
        { ...told, authorisation, money, paidFor: { ...paidFor, debt } },
        told.event.objectId,
      ),
  };
}

async function readUnpaid(ctx: Context, inboxId: string) {
  const [delivery, [authorisation], ...paidFor] = await READS(ctx, inboxId);
  return { delivery, authorisation, money: null, paidFor: paidForOf(ctx, paidFor) };
}

async function readPaid(ctx: Context, inboxId: string) {
  const [delivery, [authorisation], ...beside] = await READS_PAID(ctx, inboxId);
  return { delivery, authorisation, ...besideOf(ctx, beside) };
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
  const [delivery, ...paidFor] = await ORDERED(ctx, telling, { providerChargeId });
  const told = deliveryOf(delivery);
  return (
    told && {
      event: told.event,
      apply: async () =>
        await settled(
          ctx,
          { ...told, authorisation: null, money: null, paidFor: paidForOf(ctx, paidFor) },
          providerChargeId,
        ),
    }
  );
}

/** A delivery about what this product does not know. */
export async function otherFound(ctx: Context, { inboxId }: Telling): Promise<Found | null> {
  const told = deliveryOf((await DELIVERY(ctx, inboxId))[0]);
  return told && { event: told.event, apply: async () => ({ reason: "unknown_type" }) };
}

/**
 * The event may come before we could write the provider's id: its reference is our charge's id,
 * which we wrote first.
 */
async function settled(
  ctx: Context,
  { event, charge: known, back, money, paidFor, authorisation }: Delivery,
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
  const news = {
    chargeId: charge.id,
    said,
    read: charge,
    alongside: [handledStatement(ctx, { inboxId: event.id })],
  };
  if (!known) return await settledUnread(ctx, charge, news);
  // The payment in the code of an authorisation: whether that pays the renewals too is asked at
  // once, and by reconciliation.
  const agreement = authorisation && (await agreementBeside(ctx, authorisation));
  await settleCharge(
    ctx,
    { ...news, back, ...(money ? { money } : {}) },
    { ...paidFor, subscription: { ...paidFor.subscription, agreement } },
  );
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
async function settledUnread(ctx: Context, charge: Charge, news: News): Promise<null> {
  await settleCharge(ctx, news);
  if (charge.recurringPixId !== null && charge.debitOn === null)
    await settleAuthorisationQuietly(ctx, { authorisationId: charge.recurringPixId });
  return null;
}
