import { and, eq, isNull, sql } from "drizzle-orm";
import { commit, exactlyOne, provided } from "#app/db/client.server.ts";
import type { Write } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { rereading } from "#app/domain/payments/commands/rereading.server.ts";
import { settleWith } from "#app/domain/payments/commands/settle.server.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { chargeTopic, isWaiting } from "#app/domain/payments/rules.ts";
import { madeBy } from "#app/domain/payments/rules/providers.ts";
import type { ProviderRecurringPix } from "#app/domain/payments/schema.ts";
import type { PurchaseFacts } from "#app/domain/subscriptions/queries/purchase-facts.server.ts";
import { authorisationStanding } from "#app/domain/subscriptions/queries/authorisation-standing.server.ts";
import type { AuthorisationStanding } from "#app/domain/subscriptions/queries/authorisation-standing.server.ts";
import { authorisationKnownAs } from "#app/domain/subscriptions/queries/automatic.server.ts";
import { authorisationStep, debitDayOf } from "#app/domain/subscriptions/rules/automatic.ts";
import type { AuthorisationStep } from "#app/domain/subscriptions/rules/automatic.ts";
import type { Authorisation } from "#app/domain/subscriptions/schema/automatic.ts";
import { recurringPix, subscriptions } from "#drizzle/schema/subscriptions.ts";
import { askedAuthorisation, endedAtProvider } from "./automatic-charges.server.ts";
import { subscriptionKinds } from "./kind.server.ts";

export type AuthorisationNews = {
  authorisationId: string;
  said?: ProviderRecurringPix;
  /** The authorisation and what it renews where its caller has just read them: they are read again only when something moved meanwhile. */
  read?: AuthorisationStanding;
  /** Written in the batch of what this changes, or by itself when that is nothing: the stamp of the delivery that told of it. */
  alongside?: Write[];
};

/**
 * Brings an authorisation of Pix Automático, and how its subscription renews, to what the provider says now; one that is to end is ended there first. Any
 * number of equal calls apply it once, before or after the news of the payment that its code carries. Throws ProviderUnclear.
 */
export async function settleAuthorisation(ctx: Context, { authorisationId, said: told, read, alongside = [] }: AuthorisationNews): Promise<void> {
  const standing = read ?? (await authorisationStanding(ctx, { authorisationId }));
  const known = standing?.authorisation;
  if (!standing || !known || (known.status !== "created" && known.status !== "active")) return await commit(ctx.db, alongside);
  const isTold = told !== undefined && (known.providerRecurringPixId ?? told.id) === told.id;
  const said = known.endingAt === null ? (isTold ? told : await askedAuthorisation(ctx, known)) : await endedAtProvider(ctx, known);
  let unread: AuthorisationStanding | null = (await settledFirstPayment(ctx, standing, said)) ? null : standing;
  const { step, outboxId } = await rereading(async () => {
    const now = unread ?? (await authorisationStanding(ctx, { authorisationId }));
    unread = null;
    return await applied(ctx, now, { authorisationId, said, alongside });
  });
  if (step.status !== known.status || step.attaches) await ctx.live.changed(chargeTopic(known.firstChargeId));
  if (outboxId) await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
  if (step.ends) await settleAuthorisation(ctx, { authorisationId });
}

type TellingNews = Pick<AuthorisationNews, "read" | "alongside"> & { provider: string; providerRecurringPixId: string };

/** `settleAuthorisation` for one of which a delivery tells by the provider's id; gives whether it is ours, and writes nothing when it is not. */
export async function settleAuthorisationOf(ctx: Context, { provider, providerRecurringPixId, read, alongside }: TellingNews): Promise<boolean> {
  const said = await madeBy(ctx, { provider }).recurringPixById(providerRecurringPixId);
  const known = read?.authorisation ?? (await authorisationKnownAs(ctx, { provider, providerRecurringPixId, reference: said.reference }));
  if (known) await settleAuthorisation(ctx, { authorisationId: known.id, said, ...(read ? { read } : {}), ...(alongside ? { alongside } : {}) });
  return known !== null;
}

/** `settleAuthorisation` for the one whose code a charge pays, if it is such a charge. Throws ProviderUnclear. */
export async function settleAuthorisationPaidBy(ctx: Context, { chargeId }: { chargeId: string }): Promise<void> {
  const charge = await chargeRow(ctx, { chargeId });
  if (charge?.recurringPixId && charge.debitOn === null) await settleAuthorisation(ctx, { authorisationId: charge.recurringPixId });
}

/** `settleAuthorisation` for who does not wait for the provider: what it does not say now, reconciliation asks. */
export async function settleAuthorisationQuietly(ctx: Context, authorisation: { authorisationId: string }): Promise<void> {
  try {
    await settleAuthorisation(ctx, authorisation);
  } catch (error) {
    if (!(error instanceof ProviderUnclear)) throw error;
    ctx.log("subscriptions.authorisation_unclear", authorisation);
  }
}

/** An answer of the bank is also one about the payment in its code, whose own news may be lost or late. */
async function settledFirstPayment(ctx: Context, { first }: AuthorisationStanding, said: ProviderRecurringPix | null): Promise<boolean> {
  if (!said || said.status === "created" || !first || !isWaiting(first.status)) return false;
  await settleWith(ctx, subscriptionKinds, { chargeId: first.id });
  return true;
}

type Applying = { authorisationId: string; said: ProviderRecurringPix | null; alongside: Write[] };

async function applied(ctx: Context, standing: AuthorisationStanding | null, { authorisationId, said, alongside }: Applying): Promise<{ step: AuthorisationStep; outboxId: string | null }> {
  const { authorisation, facts = null, first = null } = standing ?? {};
  if (!authorisation || !facts || !first) throw new Error(`authorisation ${authorisationId} pays for nothing`);
  const now = ctx.now();
  const step = authorisationStep({ authorisation, said: said?.status ?? null, subscription: facts.subscription.status, firstCharge: first.status, now });
  const isOver = step.status !== "created" && step.status !== "active";
  const outboxId = step.tells === null ? null : `authorisation:${authorisationId}:${step.tells}`;
  await commit(ctx.db, [
    // What it is decided by may have moved while the provider was asked: a code that ran out is paid after all.
    provided(ctx.db, sql`(SELECT paying.status FROM charges paying WHERE paying.id = ${first.id}) IS ${first.status} AND (SELECT renewed.status FROM subscriptions renewed WHERE renewed.id = ${facts.subscription.id}) IS ${facts.subscription.status}`),
    exactlyOne(
      ctx.db
        .update(recurringPix)
        .set({
          status: step.status,
          providerRecurringPixId: said?.id ?? authorisation.providerRecurringPixId,
          attachedAt: step.attaches ? now : authorisation.attachedAt,
          endingAt: step.ends ? now : authorisation.endingAt,
          endedAt: isOver ? now : null,
          askedAt: now,
        })
        .where(and(eq(recurringPix.id, authorisationId), eq(recurringPix.status, authorisation.status), same("attached_at", authorisation.attachedAt), same("ending_at", authorisation.endingAt))),
    ),
    ...(step.attaches ? [attachedStatement(ctx, facts, authorisation)] : []),
    ...(outboxId === null || step.tells === null ? [] : [announce(ctx, outboxId, toldOf(ctx, facts, authorisation, step.tells))]),
    ...alongside,
  ]);
  return { step, outboxId };
}

const same = (column: "attached_at" | "ending_at", at: number | null) => sql`${sql.identifier(column)} IS ${at}`;

/** What renewed by a card renews by its debits now. */
function attachedStatement(ctx: Context, { subscription }: PurchaseFacts, { id }: Authorisation): Write {
  return exactlyOne(
    ctx.db
      .update(subscriptions)
      .set({ recurringPixId: id, method: "pix", savedMethodId: null, updatedAt: ctx.now() })
      .where(and(eq(subscriptions.id, subscription.id), eq(subscriptions.status, subscription.status), subscription.recurringPixId === null ? isNull(subscriptions.recurringPixId) : eq(subscriptions.recurringPixId, subscription.recurringPixId))),
  );
}

function toldOf(ctx: Context, { subscription, creatorName, plan, nextPaymentCents }: PurchaseFacts, { ceilingCents }: Authorisation, what: "authorised" | "refused" | "ended") {
  return {
    type: "subscription.automatic" as const,
    what,
    subscriptionId: subscription.id,
    fanId: subscription.fanId,
    creatorName,
    planName: plan.name,
    amountCents: nextPaymentCents,
    ceilingCents,
    nextDebitOn: debitDayOf(subscription.currentPeriodEndsAt ?? ctx.now()),
    method: subscription.method,
    appOrigin: ctx.settings.appOrigin,
  };
}
