import type { Context } from "#app/domain/context.ts";
import { declinesCount, openChargesCount } from "#app/domain/payments/queries.server.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";
import { TooManyDeclines, TooManyOpenPayments } from "#app/domain/subscriptions/errors.ts";
import { DECLINES_LIMIT, OPEN_CHECKOUTS_LIMIT } from "#app/domain/subscriptions/rules.ts";
import { HOUR_MS } from "#app/domain/time.ts";

/** Refuses TooManyOpenPayments and TooManyDeclines. */
export async function refuseWhatIsTooMuch(ctx: Context, { memberId, method }: { memberId: string; method: PaymentMethod }): Promise<void> {
  if ((await openChargesCount(ctx, { payerId: memberId, now: ctx.now() })) >= OPEN_CHECKOUTS_LIMIT) throw new TooManyOpenPayments();
  if (method === "card" && (await declinesCount(ctx, { payerId: memberId, since: ctx.now() - HOUR_MS })) >= DECLINES_LIMIT) throw new TooManyDeclines();
}
