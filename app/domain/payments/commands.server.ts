import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { balanceOf, creatorBalanceRows } from "#app/domain/ledger/queries.server.ts";
import { chargeRefunded, chargeReleased, chargeSucceeded } from "#app/domain/ledger/rules.ts";
import type { Recourse } from "#app/domain/ledger/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { charges, inbox, refunds } from "#drizzle/schema/payments.ts";
import { ProviderRefused } from "./errors.ts";
import { chargeRow, refundRow } from "./queries.server.ts";
import type { Charge } from "./queries.server.ts";
import { feeOf, feeShareOfRefund, isHeld, releaseAt, statesBefore } from "./rules.ts";
import type { PaymentMethod, ProviderCharge, ProviderEvent, ProviderRefund } from "./schema.ts";

/** How often a command re-reads and decides again when somebody else was faster. */
const ATTEMPTS = 4;

/**
 * Runs `attempt` again, with fresh reads, when its batch was refused because the rows had moved meanwhile. The batch is
 * all or nothing, so that a second run repeats no effect.
 */
export async function rereading<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let left = ATTEMPTS; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      const moved = error instanceof StaleWrite || error instanceof UniqueViolation || (error instanceof RuleViolation && error.rule.startsWith("ledger_"));
      if (!moved || left <= 1) throw error;
    }
  }
}

export type NewCharge = {
  id: string;
  payerId: string;
  creatorId: string;
  purchaseKind: "subscription";
  purchaseId: string;
  description: string;
  amountCents: Cents;
  method: PaymentMethod;
  expiresAt: Instant;
  period: { startsAt: Instant; endsAt: Instant } | null;
};

/** The statement that writes a charge before any provider hears of it; its fee is fixed here. */
export function newChargeStatement(ctx: Context, charge: NewCharge): Write {
  const now = ctx.now();
  return ctx.db.insert(charges).values({
    id: charge.id,
    payerId: charge.payerId,
    creatorId: charge.creatorId,
    purchaseKind: charge.purchaseKind,
    purchaseId: charge.purchaseId,
    description: charge.description,
    amountCents: charge.amountCents,
    feeBasisPoints: ctx.settings.feeBasisPoints,
    ...feeOf(charge.amountCents, ctx.settings.feeBasisPoints),
    method: charge.method,
    provider: ctx.payments.name,
    status: "created",
    expiresAt: charge.expiresAt,
    periodStartsAt: charge.period?.startsAt ?? null,
    periodEndsAt: charge.period?.endsAt ?? null,
    askedAt: now,
    createdAt: now,
  });
}

/** The conditional statement that brings a charge to what the provider says, short of success. */
export function progressStatement(ctx: Context, charge: Charge, said: Pick<ProviderCharge, "status" | "failureCode"> & Partial<ProviderCharge>): Write {
  return exactlyOne(
    ctx.db
      .update(charges)
      .set({
        status: said.status,
        providerChargeId: said.id ?? charge.providerChargeId,
        pixCode: said.pixCode ?? charge.pixCode,
        nextActionUrl: said.nextActionUrl ?? null,
        failureCode: said.failureCode,
        expiresAt: said.expiresAt ?? charge.expiresAt,
        askedAt: ctx.now(),
      })
      .where(and(eq(charges.id, charge.id), inArray(charges.status, [...statesBefore(said.status)]))),
  );
}

/**
 * The statements of a paid charge: its state, when its net will be free, and the balanced posting with the fee.
 * What it pays for is joined by the caller, in the same batch.
 */
export function successStatements(ctx: Context, charge: Charge, said: ProviderCharge, { isRenewal }: { isRenewal: boolean }): Write[] {
  const now = ctx.now();
  return [
    exactlyOne(
      ctx.db
        .update(charges)
        .set({
          status: "succeeded",
          providerChargeId: said.id,
          nextActionUrl: null,
          failureCode: null,
          succeededAt: now,
          releaseAt: releaseAt({ method: charge.method, isRenewal, succeededAt: now, settlesAt: said.settlesAt }),
          askedAt: now,
        })
        .where(and(eq(charges.id, charge.id), inArray(charges.status, [...statesBefore("succeeded")]))),
    ),
    ...postingStatements(
      ctx,
      chargeSucceeded({
        chargeId: charge.id,
        creatorId: charge.creatorId,
        provider: charge.provider,
        grossCents: charge.amountCents,
        feeCents: charge.feeCents,
      }),
    ),
  ];
}

/** The note that the provider was asked and nothing had changed. */
export async function markAsked(ctx: Context, { chargeId }: { chargeId: string }): Promise<void> {
  await ctx.db.update(charges).set({ askedAt: ctx.now() }).where(eq(charges.id, chargeId));
}

/** Moves what a charge still has pending to what its creator may withdraw. Does nothing when it already did. */
export async function releaseCharge(ctx: Context, { chargeId }: { chargeId: string }): Promise<void> {
  await rereading(async () => {
    const charge = await chargeRow(ctx, { chargeId });
    const now = ctx.now();
    if (!charge || charge.releasedAt !== null || charge.releaseAt === null || charge.releaseAt > now || !isHeld(charge.status)) return;
    const owedCents = balanceOf(await creatorBalanceRows(ctx, { creatorId: charge.creatorId }), "creator_owed");
    await commit(ctx.db, [
      exactlyOne(
        ctx.db
          .update(charges)
          .set({ releasedAt: now })
          .where(and(eq(charges.id, charge.id), isNull(charges.releasedAt), eq(charges.status, charge.status), eq(charges.refundedCents, charge.refundedCents))),
      ),
      ...postingStatements(
        ctx,
        chargeReleased({ chargeId, creatorId: charge.creatorId, provider: charge.provider, netCents: pendingOf(charge), owedCents }),
      ),
    ]);
  });
}

/** What of the net of a charge is still in its creator's pending account. */
export function pendingOf(charge: Charge): Cents {
  if (charge.releasedAt !== null || charge.disputedCents > 0) return 0;
  return charge.netCents - (charge.refundedCents - charge.refundedFeeCents);
}

/** What can be taken back from the creator of `charge` now, in the order of the domain rules. */
export async function recourseFor(ctx: Context, charge: Charge): Promise<Recourse> {
  const rows = await creatorBalanceRows(ctx, { creatorId: charge.creatorId });
  return { pendingOfChargeCents: pendingOf(charge), availableCents: balanceOf(rows, "creator_available") };
}

/** The statement that decides to give `amountCents` of a charge back. The provider is asked afterwards, by `sendRefund`. */
export function refundStatement(ctx: Context, charge: Charge, refund: { id: string; amountCents: Cents; reason: string }): Write {
  return ctx.db.insert(refunds).values({
    id: refund.id,
    chargeId: charge.id,
    amountCents: refund.amountCents,
    feeShareCents: feeShareOfRefund(charge, refund.amountCents),
    reason: refund.reason,
    status: "requested",
    createdAt: ctx.now(),
  });
}

/** Asks the provider to give the money back, under the refund's own id: asking twice gives back once. */
export async function sendRefund(ctx: Context, { refundId }: { refundId: string }): Promise<void> {
  const refund = await refundRow(ctx, { refundId });
  if (!refund || refund.status !== "requested") return;
  const charge = await chargeRow(ctx, { chargeId: refund.chargeId });
  if (!charge?.providerChargeId) return;
  try {
    const said = refund.providerRefundId
      ? await ctx.payments.refundById(refund.providerRefundId)
      : await ctx.payments.refund({ refundId, providerChargeId: charge.providerChargeId, amountCents: refund.amountCents });
    await settleRefund(ctx, { refundId, said });
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    ctx.log("payments.refund_refused", { refundId, code: error.code });
    await settleRefund(ctx, { refundId, said: { id: refundId, reference: refundId, chargeId: charge.providerChargeId, status: "failed", amountCents: refund.amountCents } });
  }
}

/** Applies what the provider says of a refund, once. */
export async function settleRefund(ctx: Context, { refundId, said }: { refundId: string; said: ProviderRefund }): Promise<void> {
  await rereading(async () => {
    const refund = await refundRow(ctx, { refundId });
    if (!refund || refund.status !== "requested") return;
    if (said.status === "processing") {
      await ctx.db.update(refunds).set({ providerRefundId: said.id }).where(eq(refunds.id, refundId));
      return;
    }
    const charge = await chargeRow(ctx, { chargeId: refund.chargeId });
    if (!charge) return;
    const settled = exactlyOne(
      ctx.db
        .update(refunds)
        .set({ status: said.status, providerRefundId: said.id, settledAt: ctx.now() })
        .where(and(eq(refunds.id, refundId), eq(refunds.status, "requested"))),
    );
    await commit(ctx.db, said.status === "failed" ? [settled] : [settled, ...(await refundedStatements(ctx, charge, refund))]);
  });
}

async function refundedStatements(ctx: Context, charge: Charge, refund: typeof refunds.$inferSelect): Promise<Write[]> {
  const refundedCents = charge.refundedCents + refund.amountCents;
  return [
    exactlyOne(
      ctx.db
        .update(charges)
        .set({
          status: refundedCents === charge.amountCents ? "refunded" : "partially_refunded",
          refundedCents,
          refundedFeeCents: sql`${charges.refundedFeeCents} + ${refund.feeShareCents}`,
        })
        .where(and(eq(charges.id, charge.id), eq(charges.refundedCents, charge.refundedCents), eq(charges.status, charge.status), charge.releasedAt === null ? isNull(charges.releasedAt) : eq(charges.releasedAt, charge.releasedAt))),
    ),
    ...postingStatements(
      ctx,
      chargeRefunded({
        chargeId: charge.id,
        creatorId: charge.creatorId,
        provider: charge.provider,
        refundId: refund.id,
        amountCents: refund.amountCents,
        feeShareCents: refund.feeShareCents,
        recourse: await recourseFor(ctx, charge),
      }),
    ),
    announce(ctx, `refund:${refund.id}:succeeded`, {
      type: "charge.refunded",
      chargeId: charge.id,
      refundId: refund.id,
      payerId: charge.payerId,
      amountCents: refund.amountCents,
      description: charge.description,
      reason: refund.reason,
    }),
  ];
}

/** Keeps a verified delivery as it came. A repeated one finds its row and changes nothing; its id is what to enqueue. */
export async function receiveEvent(ctx: Context, { event, rawBody }: { event: ProviderEvent; rawBody: string }): Promise<{ inboxId: string }> {
  const inboxId = `${ctx.payments.name}-${event.id}`;
  await ctx.db
    .insert(inbox)
    .values({
      id: inboxId,
      provider: ctx.payments.name,
      providerEventId: event.id,
      type: event.type,
      objectId: event.objectId,
      body: rawBody,
      receivedAt: ctx.realNow(),
    })
    .onConflictDoNothing();
  return { inboxId };
}

/** The delivery was applied, or there was nothing left to apply. */
export async function markEventHandled(ctx: Context, { inboxId }: { inboxId: string }): Promise<void> {
  await ctx.db.update(inbox).set({ handledAt: ctx.realNow() }).where(and(eq(inbox.id, inboxId), isNull(inbox.handledAt)));
}

/** The delivery cannot be applied: it is set aside with the reason, out of the way of the next. */
export async function quarantineEvent(ctx: Context, { inboxId, reason }: { inboxId: string; reason: string }): Promise<void> {
  ctx.log("payments.event_quarantined", { inboxId, reason });
  await ctx.db.update(inbox).set({ quarantinedAt: ctx.realNow(), quarantineReason: reason }).where(eq(inbox.id, inboxId));
}

/** One more try that did not work; gives how many there were. */
export async function countEventAttempt(ctx: Context, { inboxId }: { inboxId: string }): Promise<number> {
  const [row] = await ctx.db
    .update(inbox)
    .set({ attempts: sql`${inbox.attempts} + 1` })
    .where(eq(inbox.id, inboxId))
    .returning({ attempts: inbox.attempts });
  return row?.attempts ?? 0;
}
