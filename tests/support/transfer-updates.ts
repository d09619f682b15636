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

/** A context whose provider answers `providerTransfer` for that transfer. */
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
 * Receives and applies a webhook about a transfer, for which the provider answers
 * `providerTransfer`. Returns the state of the inbox event.
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

/** Sets the status of a transfer in the provider's database, for its lists too. */
export const setTransferAtProvider = (transferId: string, status: "failed" | "paid" | "returned") =>
  testEnv.PSP_DB.prepare("UPDATE transfers SET status = ?, failure_code = ? WHERE id = ?")
    .bind(status, status === "paid" ? null : "account_closed", transferId)
    .run();

/** Runs the next reconciliation run and calls `looked` before deleting its differences. */
export async function reconcileProvider(
  world: World,
  looked: () => Promise<void> = async () => {},
): Promise<void> {
  await deleteRuns();
  await world.advance(msUntilNextRun(world.ctx.now()));
  await finishRun(world.ctx);
  await looked();
  await deleteRuns();
}

/** All ledger balances and the outbox count, which a repeated event must not change. */
export const ledgerAndEmailCounts = async ({ ctx }: World) => [
  await ctx.db
    .select({ id: ledgerAccounts.id, cents: ledgerAccounts.balanceCents })
    .from(ledgerAccounts)
    .orderBy(ledgerAccounts.id),
  await ctx.db.$count(outbox),
];

/** Our ledger balance at the provider plus the provider's costs, in centavos. */
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
