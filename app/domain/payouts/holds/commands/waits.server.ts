import { and, eq, inArray, sql } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { providerOf } from "#app/domain/payments/providers/rules/providers.ts";
import {
  isInsufficientBalance,
  transferFault,
} from "#app/domain/payments/providers/rules/transfer-faults.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { payoutsWaitingForBalance } from "#app/domain/payouts/holds/queries.server.ts";
import {
  BALANCE_RECHECK_MS,
  payoutsThatFit,
  PROVIDER_RETRY_MS,
} from "#app/domain/payouts/holds/rules/waits.ts";
import type { Instant } from "#app/domain/time.ts";
import type { Payout } from "#app/domain/payouts/schema.ts";
import { payoutActs, payouts } from "#drizzle/schema/payouts.ts";

/**
 * A provider's refusal that does not fail the payout: it lacks the money, or it does not allow our
 * account the transfer (`code`).
 */
export type ProviderRefusal = { waitsFor: "balance" } | { waitsFor: "provider"; code: string };

/**
 * Makes an unchanged payout wait for money at its provider, or for our account there. Matches no
 * row if the payout changed meanwhile.
 *
 * `wasRefused`: the provider was just asked and refused, so no earlier call under this key moved
 * money. The unconfirmed window then starts with the last call.
 */
export function waitForProviderStatement(
  ctx: Context,
  payout: Payout,
  refused: ProviderRefusal,
  { wasRefused }: { wasRefused: boolean },
): BatchWrite {
  ctx.log("payouts.waits", { payoutId: payout.id, because: refused.waitsFor });
  const again =
    refused.waitsFor === "balance"
      ? { waitsUntil: ctx.now() + BALANCE_RECHECK_MS }
      : { waitsUntil: ctx.now() + PROVIDER_RETRY_MS, failureCode: refused.code };
  return ctx.db
    .update(payouts)
    .set({
      waitsFor: refused.waitsFor,
      ...again,
      ...(wasRefused ? { unsureSince: sql`${payouts.sendAskedAt}` } : {}),
    })
    .where(and(eq(payouts.id, payout.id), eq(payouts.status, payout.status)));
}

/**
 * Makes a claimed payout that no provider has wait for the next bank hours, at `sendableAt`.
 * Matches no row if the payout changed meanwhile.
 */
export function waitForBankHoursStatement(
  ctx: Context,
  { id }: Payout,
  leavesAt: Instant,
): BatchWrite {
  ctx.log("payouts.waits", { payoutId: id, because: "business_day" });
  return ctx.db
    .update(payouts)
    .set({ waitsFor: "business_day", waitsUntil: leavesAt, askedAt: ctx.now() })
    .where(and(eq(payouts.id, id), eq(payouts.status, "claimed")));
}

/**
 * Whether a provider holds at least `amountCents`.
 *
 * Claimed payouts are not subtracted: they may be sent already and would count twice. If two are
 * claimed for the same money, the provider refuses the second, which then waits under its key.
 * Throws ProviderUnclear.
 */
export async function hasProviderBalance(
  provider: PaymentProvider,
  amountCents: Cents,
): Promise<boolean> {
  return (await provider.balance()).availableCents >= amountCents;
}

/** Whether the provider of a claimed payout holds less than it needs. Throws ProviderUnclear. */
export const isProviderBalanceShort = async (ctx: Context, payout: Payout): Promise<boolean> =>
  !(await hasProviderBalance(providerOf(ctx, payout), payout.amountCents));

/**
 * Decides what a payout waits for after its provider refused it with `code`; null where it fails.
 *
 * A wrong key fails whatever the balance: nobody could change the key of a waiting payout. A limit
 * of our own account waits for the provider. If the code says nothing, the balance decides. Throws
 * ProviderUnclear.
 */
export async function providerRefusalOf(
  ctx: Context,
  payout: Payout,
  code: string,
): Promise<ProviderRefusal | null> {
  const fault = transferFault(code);
  if (fault === "house")
    return isInsufficientBalance(code) ? { waitsFor: "balance" } : { waitsFor: "provider", code };
  return fault === null && (await isProviderBalanceShort(ctx, payout))
    ? { waitsFor: "balance" }
    : null;
}

/**
 * Requests another payout in place of one that failed for a reason of our own account. A failed
 * transfer keeps its key, so the same payout cannot be sent again. The creator did nothing wrong,
 * and the new payout keeps their place in the order.
 */
export function rerequestPayoutStatements(
  ctx: Context,
  {
    creatorId,
    batchId,
    pixKeyKind,
    pixKey,
    provider,
    actedBy,
    approvedBy,
    approvedCents,
    requestedAt,
    ...failed
  }: Payout,
  code: string | null,
): BatchWrite[] {
  const id = ctx.newId();
  ctx.log("payouts.asked_again", { payoutId: id, instead: failed.id });
  return [
    ctx.db.insert(payouts).values({
      id,
      creatorId,
      batchId,
      amountCents: 0,
      status: "requested",
      pixKeyKind,
      pixKey,
      provider,
      requestedAt,
      actedBy,
      approvedBy,
      approvedCents,
      waitsFor: isInsufficientBalance(code) ? "balance" : "provider",
      waitsUntil: ctx.now() + PROVIDER_RETRY_MS,
    }),
    copyRequestersStatement(ctx, { from: failed.id, to: id }),
  ];
}

/**
 * Copies the moderators who requested a payout to the one that replaces it. They may not approve
 * that one either (`isRequestedByModerator`).
 */
export const copyRequestersStatement = (
  ctx: Context,
  { from, to }: { from: string; to: string },
): BatchWrite =>
  ctx.db
    .insert(payoutActs)
    .select(
      sql`SELECT ${to} || '-' || moderator_id, ${to}, moderator_id, 'retry', MIN(note), MIN(created_at) FROM payout_acts WHERE payout_id = ${from} AND act = 'retry' GROUP BY moderator_id`,
    );

/**
 * Returns which of the payouts that wait for balance may be sent now.
 *
 * Reads each provider's balance once, however many wait: at Asaas each read is two of 25,000
 * requests in twelve hours. The other payouts wait for the next check, and so do all of a provider
 * that does not answer. `limit`: payouts examined, oldest first.
 */
export async function payoutsWithBalance(
  ctx: Context,
  { limit }: { limit: number },
): Promise<string[]> {
  const waiting = await payoutsWaitingForBalance(ctx, { limit });
  if (waiting.length === 0) return [];
  const turns: string[] = [];
  for (const provider of new Set(waiting.map((one) => one.provider))) {
    const those = waiting.filter((one) => one.provider === provider);
    turns.push(
      ...(provider === null ? those : payoutsThatFit(those, await availableAt(ctx, provider))).map(
        ({ id }) => id,
      ),
    );
  }
  const ids = waiting.map(({ id }) => id);
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const some = ids.slice(from, from + IDS_AT_ONCE);
    await commit(ctx.db, [
      ctx.db
        .update(payouts)
        .set({ waitsUntil: ctx.now() + BALANCE_RECHECK_MS })
        .where(and(inArray(payouts.id, some), eq(payouts.waitsFor, "balance"))),
    ]);
  }
  return turns;
}

/** D1 binds at most 100 values. */
const IDS_AT_ONCE = 90;

async function availableAt(ctx: Context, provider: PaymentProvider): Promise<Cents> {
  try {
    return (await provider.balance()).availableCents;
  } catch (error) {
    if (!(error instanceof ProviderUnclear)) throw error;
    ctx.log("payouts.balance_unclear", { provider: provider.name });
    return 0;
  }
}
