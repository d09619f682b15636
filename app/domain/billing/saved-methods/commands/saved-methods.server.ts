import { PAYMENT_METHODS } from "#app/domain/payments/rules/choices.ts";
import { and, eq, isNotNull, isNull, not, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import {
  CardRequiredWithoutPix,
  SavedMethodNotFound,
  SavedMethodInUse,
  CardPaysUpcoming,
} from "#app/domain/billing/errors.ts";
import {
  isCardPayable,
  savedCards,
  savedMethodProvider,
} from "#app/domain/billing/details/queries.server.ts";
import type { Context } from "#app/domain/context.ts";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import { isMethodOffered, cardProviderOf } from "#app/domain/payments/providers/rules/providers.ts";
import {
  FALLBACK_METHOD,
  renewsByCode,
  renewsBySavedMethod,
} from "#app/domain/payments/methods/rules.ts";
import type { ChosenMethod } from "#app/domain/payments/rules/choices.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import { cancelRenewedBy } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import {
  clearSavedMethodStatement,
  hasPrepaidByCard,
  moveRenewalsToMethodStatement,
  moveUpcomingToMethodStatement,
} from "#app/domain/subscriptions/payment-methods/commands/payment-method.server.ts";
import { RENEWING_STATUSES } from "#app/domain/subscriptions/rules.ts";
import { addDays } from "#app/domain/time.ts";
import { savedMethods } from "#drizzle/schema/billing.ts";

type SavedMethodRef = { personId: string; methodId: string };

const isReferenced = ({ personId, methodId }: SavedMethodRef) =>
  and(
    eq(savedMethods.id, methodId),
    eq(savedMethods.personId, personId),
    isNull(savedMethods.removedAt),
  );

/**
 * Makes a saved card the default one, which is offered first. Throws SavedMethodNotFound, also for
 * somebody else's card.
 */
export async function setDefaultMethod(ctx: Context, reference: SavedMethodRef): Promise<void> {
  await orNotFound(() =>
    commit(ctx.db, [
      ctx.db
        .update(savedMethods)
        .set({ isDefault: false })
        .where(
          and(eq(savedMethods.personId, reference.personId), eq(savedMethods.isDefault, true)),
        ),
      mustChangeOne(
        ctx.db.update(savedMethods).set({ isDefault: true }).where(isReferenced(reference)),
      ),
    ]),
  );
}

/**
 * How subscriptions that renew by a card continue without it. By another card of the person, by Pix
 * codes, or not at all.
 */
export type ReplacementMethod = ChosenMethod | "cancel";

/**
 * Removes a saved card. Subscriptions that renew by it continue as `instead` says, in the same
 * batch. Or each is canceled before, as on its own page. Without `instead`, the card stays
 * (SavedMethodInUse), also when a subscription started to use it meanwhile. Throws
 * SavedMethodNotFound for a card of somebody else, and for a replacement that is not theirs or
 * cannot pay. A subscription that has not started cannot be canceled here: it continues by Pix.
 * Where Pix is not offered, it throws CardPaysUpcoming for such a subscription, and
 * CardRequiredWithoutPix when Pix was chosen. Then nothing changes.
 */
export async function removeMemberCard(
  ctx: Context,
  { instead, ...reference }: SavedMethodRef & { instead: ReplacementMethod | null },
): Promise<void> {
  const cards = await savedCards(ctx, reference);
  const card = cards.find(({ id }) => id === reference.methodId);
  if (!card) throw new SavedMethodNotFound();
  if (card.renews > 0 && instead === null) throw new SavedMethodInUse();
  const next = instead === "cancel" ? null : instead;
  if (
    next !== null &&
    renewsBySavedMethod(next.method) &&
    (next.savedMethodId === card.id ||
      !cards.some((other) => other.id === next.savedMethodId && isCardPayable(ctx, other)))
  )
    throw new SavedMethodNotFound();
  const renewals = { fanId: reference.personId, savedMethodId: card.id };
  const hasPix = isMethodOffered(FALLBACK_METHOD, ctx);
  if (next !== null && renewsByCode(next.method) && !isMethodOffered(next.method, ctx))
    throw new CardRequiredWithoutPix();
  if (instead === "cancel" && !hasPix && (await hasPrepaidByCard(ctx, renewals)))
    throw new CardPaysUpcoming();
  if (instead === "cancel") await cancelRenewedBy(ctx, renewals);
  try {
    await commit(ctx.db, [
      ...(next === null ? [] : [moveRenewalsToMethodStatement(ctx, { ...renewals, to: next })]),
      ...(instead === "cancel" && hasPix ? [moveUpcomingToMethodStatement(ctx, renewals)] : []),
      mustChangeOne(
        ctx.db
          .update(savedMethods)
          .set({ removedAt: ctx.now(), isDefault: false })
          .where(
            and(
              isReferenced(reference),
              sql`NOT EXISTS (SELECT 1 FROM subscriptions paying WHERE paying.fan_id = ${reference.personId} AND paying.saved_method_id = ${card.id} AND paying.status IN (SELECT value FROM json_each(${JSON.stringify(RENEWING_STATUSES)})))`,
            ),
          ),
      ),
      clearSavedMethodStatement(ctx, renewals),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? new SavedMethodInUse() : error;
  }
}

/**
 * Asks the provider once for a saved card's brand and last digits, by which its owner knows it.
 * Throws ProviderUnclear.
 */
export async function loadCardDetails(
  ctx: Context,
  { methodId }: { methodId: string },
): Promise<void> {
  const savedMethod = await unlessRefused(
    async () => await (await keeperOf(ctx, methodId)).savedMethodById(methodId),
  );
  const { brand, last4 } = savedMethod ?? { brand: null, last4: null };
  await ctx.db
    .update(savedMethods)
    .set({ brand, last4, describedAt: ctx.now() })
    .where(and(eq(savedMethods.id, methodId), isNull(savedMethods.describedAt)));
}

/** A card charge that is unpaid after this many days is never paid. */
const LATE_DAYS = 30;

/** The payment methods that can be saved, as a statement binds them. */
const SAVED_METHODS = JSON.stringify(PAYMENT_METHODS.filter(renewsBySavedMethod));

/**
 * Whether a recent unpaid charge by card of the same person may still be confirmed, and name the
 * card. Until then the removal stays recorded.
 */
const mayComeBack = (ctx: Context) =>
  sql`EXISTS (SELECT 1 FROM charges late WHERE late.payer_id = ${savedMethods.personId} AND late.created_at > ${addDays(ctx.now(), -LATE_DAYS)} AND late.method IN (SELECT value FROM json_each(${SAVED_METHODS})) AND late.succeeded_at IS NULL)`;

/**
 * Deletes a removed card at the provider, then its row. The row stays while an open charge may name
 * the card. Such a charge makes it due for deletion again (trigger `charges_method_kept`). Safe to
 * repeat. Throws ProviderUnclear.
 */
export async function detachSavedMethod(
  ctx: Context,
  { methodId }: { methodId: string },
): Promise<void> {
  await unlessRefused(
    async () => await (await keeperOf(ctx, methodId)).removeSavedMethod(methodId),
  );
  await ctx.db
    .update(savedMethods)
    .set({ forgottenAt: ctx.now() })
    .where(and(eq(savedMethods.id, methodId), isNotNull(savedMethods.removedAt)));
  await ctx.db
    .delete(savedMethods)
    .where(and(eq(savedMethods.id, methodId), isForgotten, not(mayComeBack(ctx))));
}

/** Must match the text of the index `saved_methods_forgotten` exactly. */
const isForgotten = sql`removed_at IS NOT NULL AND forgotten_at IS NOT NULL`;

/**
 * Deletes the rows of cards that the provider deleted and that no open charge can name. Reads no
 * other row.
 */
export async function purgeRemovedMethods(ctx: Context): Promise<void> {
  await ctx.db.delete(savedMethods).where(and(isForgotten, not(mayComeBack(ctx))));
}

async function keeperOf(ctx: Context, methodId: string): Promise<PaymentProvider> {
  return cardProviderOf(ctx, { provider: (await savedMethodProvider(ctx, { methodId })) ?? "" });
}

/**
 * Returns null where the provider refuses. Its refusal about a card is final: it does not know the
 * card, or has deleted it.
 */
async function unlessRefused<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderRefused) return null;
    throw error;
  }
}

async function orNotFound(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof StaleWrite ? new SavedMethodNotFound() : error;
  }
}
