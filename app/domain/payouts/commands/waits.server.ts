import { and, eq } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { BALANCE_AGAIN_MS } from "#app/domain/payouts/rules/waits.ts";
import type { Instant } from "#app/domain/time.ts";
import type { Payout } from "#app/domain/payouts/schema.ts";
import { payouts } from "#drizzle/schema/payouts.ts";

/** The statement after which a payout, as it was read, waits for money at its provider. It matches nothing when somebody moved it meanwhile. */
export function waitForBalanceStatement(ctx: Context, payout: Payout): Write {
  ctx.log("payouts.waits", { payoutId: payout.id, because: "balance" });
  return ctx.db
    .update(payouts)
    .set({ waitsFor: "balance", waitsUntil: ctx.now() + BALANCE_AGAIN_MS })
    .where(and(eq(payouts.id, payout.id), eq(payouts.status, payout.status)));
}

/**
 * The statement after which a claimed payout that no provider has waits for the banks' next hours, at `leavesAt`. It matches nothing when somebody moved it
 * meanwhile.
 */
export function waitForHoursStatement(ctx: Context, { id }: Payout, leavesAt: Instant): Write {
  ctx.log("payouts.waits", { payoutId: id, because: "business_day" });
  return ctx.db
    .update(payouts)
    .set({ waitsFor: "business_day", waitsUntil: leavesAt, askedAt: ctx.now() })
    .where(and(eq(payouts.id, id), eq(payouts.status, "claimed")));
}

/**
 * Whether a provider holds enough for `amountCents`. What was claimed and may be sent already is not counted: it would count twice. Where two are claimed for
 * the same money, the second is refused when it is sent, and waits under its key. Throws ProviderUnclear.
 */
export async function hasEnough(provider: PaymentProvider, amountCents: Cents): Promise<boolean> {
  return (await provider.balance()).availableCents >= amountCents;
}
