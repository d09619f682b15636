import { and, eq, inArray, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { Refusal } from "#app/domain/errors.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { TrialMessage } from "#app/domain/subscriptions/schema/outbox/trials.ts";
import { requestCardSetup } from "#app/domain/payments/saved-cards/commands.server.ts";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { openChargesCount, openChargesSql } from "#app/domain/payments/queries.server.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import { cardProviderOf, acquirerFor } from "#app/domain/payments/providers/rules/providers.ts";
import type { ProviderSavedMethod } from "#app/domain/payments/schema.ts";
import { PaymentDeclined, TooManyOpenPayments } from "#app/domain/subscriptions/errors.ts";
import {
  TrialCardMissing,
  TrialCardUnconfirmed,
  TooManyTrialCards,
} from "#app/domain/subscriptions/trials/errors.ts";
import {
  OPEN_SETUPS,
  openSetupsCount,
  trialSetupRow,
} from "#app/domain/subscriptions/trials/queries.server.ts";
import type { TrialSetup } from "#app/domain/subscriptions/trials/queries.server.ts";
import { DECLINES_LIMIT, OPEN_CHECKOUTS_LIMIT } from "#app/domain/subscriptions/checkout/rules.ts";
import { trialConfirmationReminderKey } from "#app/domain/subscriptions/trials/rules/trial.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { trialSetups } from "#drizzle/schema/subscriptions.ts";
import type { AgreedSubscription } from "#app/domain/subscriptions/checkout/commands/offer.server.ts";
import { writeTrialStart } from "./start-trial.server.ts";
import type { StartedTrial, TrialCheckout } from "./start-trial.server.ts";

type TrialCardConfirmation = { kind: "confirm"; setupId: string; nextActionUrl: string | null };

/** Cards that one member may try for trials in an hour: as many as may be declined at a payment. */
const CARDS_AN_HOUR = { windowMs: HOUR_MS, limit: DECLINES_LIMIT };

/**
 * Saves a typed card at the provider for a trial, and starts the trial with it. Our row is
 * committed before the provider is called; its id is the idempotency key. Refuses TrialCardMissing,
 * TooManyTrialCards, TooManyOpenPayments, PaymentDeclined, TrialCardUnconfirmed, and what
 * `writeTrialStart` refuses.
 */
export async function setUpTrialCard(
  ctx: Context,
  checkout: TrialCheckout,
  { amountCents }: AgreedSubscription,
): Promise<StartedTrial | TrialCardConfirmation> {
  const { cardToken, memberId } = checkout;
  if (cardToken === null) throw new TrialCardMissing();
  const [setupId, now] = [ctx.newId(), ctx.now()];
  const payer = { payerId: memberId, now };
  try {
    await commit(ctx.db, [
      ctx.db.insert(trialSetups).values({
        id: setupId,
        personId: memberId,
        planPriceId: checkout.planPriceId,
        trialDays: checkout.trialDays,
        amountCents,
        coupon: checkout.coupon ?? null,
        linkSlug: checkout.link ?? null,
        provider: acquirerFor(ctx.payments, checkout.method).name,
        status: "created",
        expiresAt: now + paymentMethods[checkout.method].checkoutExpiresAfterMs,
        askedAt: now,
        createdAt: now,
      }),
      ...rateLimitStatements(ctx, {
        act: "trial_card",
        personId: memberId,
        limits: [CARDS_AN_HOUR],
      }),
      withinOpenStatement(ctx, { setupId, memberId }),
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    const open =
      (await openChargesCount(ctx, payer)) +
      (await openSetupsCount(ctx, { personId: memberId, now }));
    throw open >= OPEN_CHECKOUTS_LIMIT ? new TooManyOpenPayments() : new TooManyTrialCards();
  }
  const savedMethod = await asked(ctx, { setupId, personId: memberId, cardToken });
  return await settleTrialSetup(ctx, { setupId, savedMethod });
}

/**
 * The guard statement of the open checkout limit. Throws StaleWrite when the member would have too
 * many open checkouts and cards.
 */
function withinOpenStatement(
  ctx: Context,
  { setupId, memberId }: { setupId: string; memberId: string },
): BatchWrite {
  const now = ctx.now();
  const confirming = sql`(SELECT COUNT(*) FROM trial_setups others WHERE others.person_id = ${memberId} AND others.status IN ('created', 'requires_action') AND others.expires_at > ${now})`;
  return mustChangeOne(
    ctx.db
      .update(trialSetups)
      .set({ askedAt: now })
      .where(
        and(
          eq(trialSetups.id, setupId),
          sql`${openChargesSql(memberId, now)} + ${confirming} <= CAST(${OPEN_CHECKOUTS_LIMIT} AS INTEGER)`,
        ),
      ),
  );
}

async function asked(
  ctx: Context,
  { setupId, personId, cardToken }: { setupId: string; personId: string; cardToken: string },
): Promise<ProviderSavedMethod> {
  try {
    return await requestCardSetup(ctx, {
      savedMethodId: setupId,
      personId,
      cardToken,
      returnPath: "/checkout/trial",
    });
  } catch (error) {
    if (error instanceof ProviderRefused) {
      await commit(ctx.db, [
        movedStatement(ctx, { setupId, set: { status: "failed", failureCode: error.code } }),
      ]);
      throw new PaymentDeclined(error.code);
    }
    if (!(error instanceof ProviderUnclear)) throw error;
    // Nothing was charged, and the card cannot be used without its provider id. The row expires,
    // and the member tries again.
    ctx.log("subscriptions.trial_card_unclear", { setupId });
    throw new TrialCardUnconfirmed();
  }
}

/**
 * Brings a card to what the provider reports now, and starts its trial once the card is saved. A
 * card saved too late is removed again. Safe to run twice, also at once. Refuses PaymentDeclined
 * and what `writeTrialStart` refuses; throws ProviderUnclear.
 */
export async function settleTrialSetup(
  ctx: Context,
  { setupId, savedMethod }: { setupId: string; savedMethod?: ProviderSavedMethod },
): Promise<StartedTrial | TrialCardConfirmation> {
  const setup = await trialSetupRow(ctx, { setupId });
  if (!setup || !isOpen(setup)) return answerOf(setupId, setup);
  const card =
    savedMethod ??
    (setup.providerMethodId === null
      ? null
      : await cardProviderOf(ctx, setup).savedMethodById(setup.providerMethodId));
  if (card?.status === "ready") return await startedSetup(ctx, setup, card);
  const isOver = setup.expiresAt <= ctx.now();
  if (card?.status === "failed" || card?.status === "removed") {
    await quietly(
      commit(ctx.db, [
        movedStatement(ctx, { setupId, set: { status: "failed", failureCode: card.failureCode } }),
      ]),
    );
    throw new PaymentDeclined(card.failureCode);
  }
  const nextActionUrl = card?.nextActionUrl ?? setup.nextActionUrl;
  const waiting = {
    status: card ? ("requires_action" as const) : setup.status,
    providerMethodId: card?.id ?? setup.providerMethodId,
    nextActionUrl,
  };
  await quietly(
    commit(ctx.db, [
      movedStatement(ctx, {
        setupId,
        set: { ...waiting, ...(isOver ? { status: "expired" as const } : {}) },
      }),
    ]),
  );
  return { kind: "confirm", setupId, nextActionUrl };
}

async function startedSetup(
  ctx: Context,
  setup: NonNullable<Awaited<ReturnType<typeof trialSetupRow>>>,
  card: ProviderSavedMethod,
): Promise<StartedTrial | TrialCardConfirmation> {
  const {
    id: setupId,
    personId: memberId,
    personName: memberName,
    planPriceId,
    coupon,
    linkSlug: link,
    amountCents,
    trialDays,
  } = setup;
  const fresh = {
    id: card.id,
    also: (subscriptionId: string) => [
      movedStatement(ctx, {
        setupId,
        set: { status: "ready", providerMethodId: card.id, nextActionUrl: null, subscriptionId },
      }),
    ],
  };
  try {
    return await writeTrialStart(
      ctx,
      {
        memberId,
        memberName,
        planPriceId,
        coupon,
        link,
        amountCents,
        trialDays,
        method: "card",
        cardToken: null,
        savedMethodId: card.id,
      },
      { fresh },
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const now = await trialSetupRow(ctx, { setupId });
    // Another run was faster.
    if (now?.status === "ready") return answerOf(setupId, now);
    await quietly(
      commit(ctx.db, [
        movedStatement(ctx, {
          setupId,
          set: { status: "failed", providerMethodId: card.id, failureCode: "refused" },
        }),
      ]),
    );
    throw error;
  }
}

/**
 * Removes at the provider a card that started no trial, then clears its provider id. Safe to run
 * twice. Throws ProviderUnclear.
 */
export async function forgetTrialCard(
  ctx: Context,
  { setupId }: { setupId: string },
): Promise<void> {
  const setup = await trialSetupRow(ctx, { setupId });
  if (!setup?.providerMethodId || (setup.status !== "failed" && setup.status !== "expired")) return;
  try {
    await cardProviderOf(ctx, setup).removeSavedMethod(setup.providerMethodId);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
  }
  await ctx.db
    .update(trialSetups)
    .set({ providerMethodId: null })
    .where(eq(trialSetups.id, setupId));
}

/**
 * Advances a waiting card from the calendar: asks the provider, and ends it when it expired. A
 * refusal here is not an error.
 */
export async function advanceTrialSetup(
  ctx: Context,
  { setupId }: { setupId: string },
): Promise<void> {
  try {
    await settleTrialSetup(ctx, { setupId });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ctx.log("subscriptions.trial_refused", { setupId, reason: error.name });
  }
}

/**
 * Sends one reminder that a card waits for its bank's confirmation, with a link back. A member who
 * closed the tab finds it nowhere else. The provider is asked first. Nothing is sent if the card
 * changed or expired. Throws ProviderUnclear. Safe to run twice. Source:
 * docs/decisions/interface/put-the-next-step-in-the-email.md.
 */
export async function remindTrialCardConfirmation(
  ctx: Context,
  { setupId }: { setupId: string },
): Promise<void> {
  await advanceTrialSetup(ctx, { setupId });
  const setup = await trialSetupRow(ctx, { setupId });
  if (setup?.status !== "requires_action" || setup.expiresAt <= ctx.now()) return;
  const { personId, creatorName, planName, expiresAt: confirmUntil } = setup;
  const key = trialConfirmationReminderKey(setupId);
  await commit(ctx.db, [
    announce<TrialMessage>(ctx, key, {
      type: "trial.to_confirm",
      setupId,
      personId,
      creatorName,
      planName,
      confirmUntil,
      appOrigin: ctx.settings.appOrigin,
    }),
  ]);
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
}

const isOpen = ({ status }: Pick<TrialSetup, "status">): boolean =>
  OPEN_SETUPS.some((open) => open === status);

function answerOf(
  setupId: string,
  setup: (TrialSetup & { creatorUsername: string }) | null,
): StartedTrial | TrialCardConfirmation {
  if (setup?.status === "ready" && setup.subscriptionId)
    return {
      kind: "began",
      subscriptionId: setup.subscriptionId,
      creatorUsername: setup.creatorUsername,
    };
  return { kind: "confirm", setupId, nextActionUrl: null };
}

/**
 * The statement that updates an open card setup. Throws StaleWrite when another run changed it
 * first.
 */
function movedStatement(
  ctx: Context,
  { setupId, set }: { setupId: string; set: Partial<typeof trialSetups.$inferInsert> },
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(trialSetups)
      .set({ ...set, askedAt: ctx.now() })
      .where(and(eq(trialSetups.id, setupId), inArray(trialSetups.status, [...OPEN_SETUPS]))),
  );
}

/** Ignores StaleWrite: another run already did the same. */
async function quietly(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
  }
}
