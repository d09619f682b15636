import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";
import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import {
  CardRefreshRateLimited,
  CardNotSaved,
  SavedMethodNotFound,
  TooManyCardSetups,
} from "#app/domain/billing/errors.ts";
import { cardSetup } from "#app/domain/billing/details/queries.server.ts";
import type { Context } from "#app/domain/context.ts";
import { countAction, rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { requestCardSetup } from "#app/domain/payments/saved-cards/commands.server.ts";
import { NotAtProvider, ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { cardProviderOf, acquirerFor } from "#app/domain/payments/providers/rules/providers.ts";
import type { ProviderSavedMethod } from "#app/domain/payments/schema.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { savedMethodAttempts, savedMethods } from "#drizzle/schema/billing.ts";

/** Testing stolen cards takes many tries. A mistyped card takes few. */
const TRY_LIMITS = [
  { windowMs: HOUR_MS, limit: 5 },
  { windowMs: DAY_MS, limit: 10 },
];

/** Each poll of the page that waits for the bank calls the provider. */
const ASK_LIMITS = [{ windowMs: HOUR_MS, limit: 60 }];

/**
 * `confirm`: the owner confirms at their bank, at `nextActionUrl`, and returns to this card setup.
 * `waiting`: the result is unknown, and the cron asks again.
 */
export type SaveCardOutcome =
  | { kind: "kept" }
  | { kind: "confirm"; attemptId: string; nextActionUrl: string }
  | { kind: "waiting" };

/**
 * Saves a card without a charge, at its owner's request. Our row is committed before the provider
 * is called, under the row's id. `cardToken` comes from the provider's card field. The bank sends
 * the owner back to `returnPath` plus the row's id. Throws CardNotSaved, and TooManyCardSetups past
 * five in an hour or ten in a day.
 */
export async function saveCard(
  ctx: Context,
  { personId, cardToken, returnPath }: { personId: string; cardToken: string; returnPath: string },
): Promise<SaveCardOutcome> {
  const id = ctx.newId();
  const provider = acquirerFor(ctx.payments, "card").name;
  const counted = { act: "keep_card", personId, limits: TRY_LIMITS };
  try {
    await commit(ctx.db, [
      ...rateLimitStatements(ctx, counted),
      ctx.db.insert(savedMethodAttempts).values({ id, personId, provider, createdAt: ctx.now() }),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite
      ? new TooManyCardSetups(await rateLimitResetAt(ctx, counted))
      : error;
  }
  try {
    const savedMethod = await requestCardSetup(ctx, {
      savedMethodId: id,
      personId,
      cardToken,
      returnPath,
    });
    return await applied(ctx, { id, personId, provider, savedMethod });
  } catch (error) {
    if (error instanceof ProviderUnclear) return { kind: "waiting" };
    if (!(error instanceof ProviderRefused)) throw error;
    await ctx.db.delete(savedMethodAttempts).where(eq(savedMethodAttempts.id, id));
    throw new CardNotSaved(error.code);
  }
}

/**
 * Settles the setup of a card whose owner returns from their bank. Safe to repeat. Throws
 * CardNotSaved, SavedMethodNotFound for a finished setup or another person's, and
 * CardRefreshRateLimited past sixty times in an hour.
 */
export async function settleSavedCard(
  ctx: Context,
  { personId, attemptId }: { personId: string; attemptId: string },
): Promise<SaveCardOutcome> {
  const attempt = await cardSetup(ctx, { attemptId });
  if (!attempt || attempt.personId !== personId) throw new SavedMethodNotFound();
  if (attempt.methodId === null) return { kind: "waiting" };
  await countAction(
    ctx,
    { act: "ask-card", personId, limits: ASK_LIMITS },
    (freeAt) => new CardRefreshRateLimited(freeAt),
  );
  try {
    return await applied(ctx, {
      ...attempt,
      savedMethod: await cardProviderOf(ctx, attempt).savedMethodById(attempt.methodId),
    });
  } catch (error) {
    if (error instanceof NotAtProvider) {
      await ctx.db.delete(savedMethodAttempts).where(eq(savedMethodAttempts.id, attemptId));
      throw new CardNotSaved(error.code);
    }
    // The provider may refuse to answer now and answer the cron later.
    if (error instanceof ProviderUnclear || error instanceof ProviderRefused)
      return { kind: "waiting" };
    throw error;
  }
}

/**
 * Asks the provider once more about a card setup that its owner left. Saves the card if it is
 * ready, and otherwise deletes it. Throws ProviderUnclear.
 */
export async function expireCardSetup(
  ctx: Context,
  { attemptId }: { attemptId: string },
): Promise<void> {
  const attempt = await cardSetup(ctx, { attemptId });
  if (!attempt) return;
  if (attempt.methodId !== null) {
    const savedMethod = await orGone(
      cardProviderOf(ctx, attempt).savedMethodById(attempt.methodId),
    );
    if (savedMethod?.status === "ready") {
      await applied(ctx, { ...attempt, savedMethod });
      return;
    }
    if (savedMethod) await orGone(cardProviderOf(ctx, attempt).removeSavedMethod(attempt.methodId));
  }
  await ctx.db.delete(savedMethodAttempts).where(eq(savedMethodAttempts.id, attemptId));
}

/** Returns the provider's answer, or null when it no longer has the object. */
async function orGone<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof NotAtProvider) return null;
    throw error;
  }
}

type CardSetupUpdate = {
  id: string;
  personId: string;
  provider: string;
  savedMethod: ProviderSavedMethod;
};

async function applied(
  ctx: Context,
  { id, personId, provider, savedMethod }: CardSetupUpdate,
): Promise<SaveCardOutcome> {
  if (savedMethod.status === "requires_action" && savedMethod.nextActionUrl !== null) {
    await ctx.db
      .update(savedMethodAttempts)
      .set({ methodId: savedMethod.id })
      .where(eq(savedMethodAttempts.id, id));
    return { kind: "confirm", attemptId: id, nextActionUrl: savedMethod.nextActionUrl };
  }
  if (savedMethod.status !== "ready") {
    await ctx.db.delete(savedMethodAttempts).where(eq(savedMethodAttempts.id, id));
    throw new CardNotSaved(savedMethod.failureCode);
  }
  const now = ctx.now();
  const isFirst = sql<boolean>`NOT EXISTS (SELECT 1 FROM saved_methods stored WHERE stored.person_id = ${personId} AND stored.is_default = 1 AND stored.removed_at IS NULL)`;
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .delete(savedMethodAttempts)
          .where(and(eq(savedMethodAttempts.id, id), eq(savedMethodAttempts.personId, personId))),
      ),
      ctx.db
        .insert(savedMethods)
        .values({
          id: savedMethod.id,
          personId,
          provider,
          isDefault: isFirst,
          createdAt: now,
          brand: savedMethod.brand,
          last4: savedMethod.last4,
          describedAt: now,
        })
        // The same card was saved again. Another provider may use the same id.
        .onConflictDoUpdate({
          target: savedMethods.id,
          set: {
            removedAt: null,
            forgottenAt: null,
            brand: savedMethod.brand,
            last4: savedMethod.last4,
          },
          setWhere: and(
            isNotNull(savedMethods.removedAt),
            inArray(savedMethods.provider, [provider, ""]),
          ),
        }),
    ]);
  } catch (error) {
    // Another tab, or the cron, settled it a moment ago.
    if (!(error instanceof StaleWrite)) throw error;
  }
  return { kind: "kept" };
}
