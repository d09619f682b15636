import type { Context } from "#app/domain/context.ts";
import type { PurchaseKinds } from "#app/domain/payments/commands/kinds.server.ts";
import { letGoWith, settleWith } from "#app/domain/payments/commands/settle.server.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { declinesCount, openChargesCount } from "#app/domain/payments/queries.server.ts";
import { isHeld } from "#app/domain/payments/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";
import type { OpenAttempt } from "#app/domain/purchases/queries.server.ts";
import { stepWithOpen } from "#app/domain/purchases/rules.ts";
import type { PaymentWish } from "#app/domain/purchases/rules.ts";
import { TooManyDeclines, TooManyOpenPayments } from "#app/domain/subscriptions/errors.ts";
import { DECLINES_LIMIT, OPEN_CHECKOUTS_LIMIT } from "#app/domain/subscriptions/rules.ts";
import { HOUR_MS } from "#app/domain/time.ts";

export type Joined = Pick<OpenAttempt, "chargeId" | "status" | "nextActionUrl">;

export type StartedPurchase = { chargeId: string; status: ChargeStatus; nextActionUrl: string | null };

export const startedOf = ({ chargeId, status, nextActionUrl }: Joined): StartedPurchase => ({
  chargeId,
  status,
  nextActionUrl: status === "requires_action" ? nextActionUrl : null,
});

/**
 * The open checkout of the same thing when it is to be joined, or would not go; null once the way is free for another. `openNow` looks
 * again, after the provider was told to let it go.
 */
export async function joinedOrLetGo(ctx: Context, kinds: PurchaseKinds, { wish, open, openNow }: { wish: PaymentWish; open: OpenAttempt; openNow: () => Promise<OpenAttempt | null> }): Promise<Joined | null> {
  if (stepWithOpen(open, wish, ctx.now()) === "join") return open;
  try {
    // It may have been paid a moment ago: then that is what was bought.
    const known = await settleWith(ctx, kinds, { chargeId: open.chargeId });
    const status = isHeld(known) ? known : await letGoWith(ctx, kinds, open);
    if (isHeld(status)) return { ...open, status };
  } catch (error) {
    if (!(error instanceof ProviderUnclear)) throw error;
  }
  return await openNow();
}

/** Refuses TooManyOpenPayments and TooManyDeclines. */
export async function refuseWhatIsTooMuch(ctx: Context, { memberId, method }: { memberId: string; method: PaymentMethod }): Promise<void> {
  if ((await openChargesCount(ctx, { payerId: memberId, now: ctx.now() })) >= OPEN_CHECKOUTS_LIMIT) throw new TooManyOpenPayments();
  if (method === "card" && (await declinesCount(ctx, { payerId: memberId, since: ctx.now() - HOUR_MS })) >= DECLINES_LIMIT) throw new TooManyDeclines();
}
