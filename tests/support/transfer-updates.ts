import { eq } from "drizzle-orm";
import { expect } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { receiveEvent } from "#app/domain/payments/webhook-events/commands/inbox.server.ts";
import type { PaymentProvider, ProviderTransfer } from "#app/domain/payments/schema.ts";
import { ledgerAccounts } from "#drizzle/schema/ledger.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { inbox } from "#drizzle/schema/payments.ts";
import { applyEvent } from "#workers/fees/apply-event.ts";
import type { World } from "./context.ts";
import { deleteRuns, msUntilNextRun, finishRun } from "./reconciliation.ts";
import { testEnv } from "./worker-env.ts";

/** The provider as it is, but that asked for this transfer it says this. */
export function withTransferAnswer({ ctx }: World, providerTransfer: ProviderTransfer): Context {
  const payments = ctx.payments as PaymentProvider;
  return {
    ...ctx,
    payments: {
      ...payments,
      transferById: async (id) =>
        id === providerTransfer.id ? providerTransfer : await payments.transferById(id),
    },
  };
}

/**
 * A webhook about a transfer, applied while the provider says that; gives what became of its
 * delivery.
 */
export async function deliverTransferEvent(
  world: World,
  providerTransfer: ProviderTransfer,
): Promise<{ reason: string | null; handledAt: number | null } | undefined> {
  const { id: inboxId } = await receiveEvent(world.ctx, {
    provider: "sandbox",
    event: { id: `evt_${crypto.randomUUID()}`, type: "transfer", objectId: providerTransfer.id },
    rawBody: "{}",
  });
  await applyEvent(withTransferAnswer(world, providerTransfer), { inboxId });
  const [delivery] = await world.ctx.db
    .select({ reason: inbox.quarantineReason, handledAt: inbox.handledAt })
    .from(inbox)
    .where(eq(inbox.id, inboxId));
  return delivery;
}
export const APPLIED_OUTCOME = { reason: null, handledAt: expect.any(Number) };
export const PAID_AFTER_REVERSAL = { reason: "paid_after_given_back", handledAt: null };

/** The provider itself says so of a transfer from now on, in its lists too. */
export const setTransferAtProvider = (transferId: string, status: "failed" | "paid" | "returned") =>
  testEnv.PSP_DB.prepare("UPDATE transfers SET status = ?, failure_code = ? WHERE id = ?")
    .bind(status, status === "paid" ? null : "account_closed", transferId)
    .run();

/** The next night compares everything; what it found is for `looked`, and forgotten. */
export async function runReconciliationNight(
  world: World,
  looked: () => Promise<void> = async () => {},
): Promise<void> {
  await deleteRuns();
  await world.advance(msUntilNextRun(world.ctx.now()));
  await finishRun(world.ctx);
  await looked();
  await deleteRuns();
}

/** Every account with what is in it, and how many letters were asked for: what no repeat changes. */
export const ledgerAndEmailCounts = async ({ ctx }: World) => [
  await ctx.db
    .select({ id: ledgerAccounts.id, cents: ledgerAccounts.balanceCents })
    .from(ledgerAccounts)
    .orderBy(ledgerAccounts.id),
  await ctx.db.$count(outbox),
];

/** What the provider holds by the books (centavos), but for what it kept as its costs. */
export async function providerBookBalance({ ctx }: World): Promise<number> {
  const of = async (id: string) =>
    (
      await ctx.db
        .select({ cents: ledgerAccounts.balanceCents })
        .from(ledgerAccounts)
        .where(eq(ledgerAccounts.id, id))
    )[0]?.cents ?? 0;
  return (await of("provider_clearing:sandbox")) + (await of("provider_costs"));
}

export const isAnnounced = async ({ ctx }: World, id: string): Promise<boolean> =>
  (await ctx.db.$count(outbox, eq(outbox.id, id))) === 1;
