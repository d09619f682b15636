import { commit } from "#app/db/client.server.ts";
import type { Write } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/queries.server.ts";
import { chargeStanding } from "#app/domain/payments/queries/money.server.ts";
import type { ChargeMoney, KnownBack } from "#app/domain/payments/queries/money.server.ts";
import { asTaken, chargeTopic, isUnpaid, isWaiting } from "#app/domain/payments/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { madeBy } from "#app/domain/payments/rules/providers.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import {
  askedStatement,
  chargeCostStatements,
  debtPaidStatements,
  progressStatement,
  successStatements,
} from "./charges.server.ts";
import { automaticOf, kindOf } from "./kinds.server.ts";
import type { Answer, PurchaseKinds } from "./kinds.server.ts";
import { refundNow, refundStatement } from "./refunds.server.ts";
import { rereading } from "./rereading.server.ts";
import { logReturned, recordReturned, returnedStatements } from "./returned.server.ts";

export type News = {
  chargeId: string;
  said?: ProviderCharge;
  refusedCode?: string;
  /** The charge where its caller has just read it: it is read again only when it moved meanwhile. */
  read?: Charge;
  /**
   * What of it is known to go back, and from where it is taken, as they were read beside it; for
   * what the provider says went back.
   */
  back?: KnownBack;
  money?: ChargeMoney;
  /**
   * Written in the batch of whatever this changes, or by itself when that is nothing: the stamp of
   * the delivery that told of it.
   */
  alongside?: Write[];
};

/**
 * Brings a charge, and what it pays for, to what the provider says now: the one way by which a
 * checkout, a webhook, "Já paguei" and reconciliation change them. Asks the provider unless it is
 * given its answer (`said`) or its refusal. One batch holds charge, fee, ledger, access and
 * announcement, so that any number of equal calls apply it once. Gives the status it left. Throws
 * ProviderUnclear when the provider does not answer.
 */
export async function settleWith(
  ctx: Context,
  kinds: PurchaseKinds,
  news: News,
): Promise<ChargeStatus> {
  const known = news.read ?? (await chargeRow(ctx, { chargeId: news.chargeId }));
  if (!known) return "failed";
  const answer =
    news.refusedCode === undefined
      ? news.said
        ? { said: news.said }
        : await askedAgain(ctx, kinds, known)
      : { said: null, refusedCode: news.refusedCode };
  let { read = null, back = null, money = null }: Beside = news;
  const settled = await rereading(async () => {
    const standing = read
      ? { charge: read, back }
      : await chargeStanding(ctx, { chargeId: news.chargeId });
    const beside = { back: standing?.back ?? null, money, alongside: news.alongside ?? [] };
    [read, back, money] = [null, null, null];
    return await applied(ctx, kinds, standing?.charge ?? null, { ...answer, ...beside });
  });
  if (settled.status !== known.status) await ctx.live.changed(chargeTopic(news.chargeId));
  if (settled.refundId) await refundNow(ctx, kinds, settled.refundId);
  if (answer.said && answer.said.refundedCents > 0 && !settled.isBackKnown)
    await recordReturned(ctx, kinds, { chargeId: news.chargeId, said: answer.said });
  if (settled.isUnwanted && isWaiting(settled.status))
    return await letGoWith(ctx, kinds, { chargeId: news.chargeId });
  if (settled.announced)
    await ctx.queues.notifications.send({
      version: 1,
      type: "outbox.deliver",
      id: settled.announced,
    });
  return settled.status;
}

/**
 * Ends a charge that ran out: the provider is asked first, since it may have been paid, and then
 * told to let it go, so that what it held is free. Throws ProviderUnclear when the provider does
 * not answer.
 */
export async function closeOverdueWith(
  ctx: Context,
  kinds: PurchaseKinds,
  { chargeId, ...known }: Pick<News, "chargeId" | "read" | "back">,
): Promise<ChargeStatus> {
  const status = await settleWith(ctx, kinds, { chargeId, ...known });
  if (!isWaiting(status)) return status;
  const charge = await chargeRow(ctx, { chargeId });
  const isOver = charge !== null && charge.expiresAt !== null && charge.expiresAt <= ctx.now();
  return isOver ? await letGoWith(ctx, kinds, { chargeId, read: charge }) : status;
}

/**
 * Tells the provider that nobody wants to pay a charge any more; one that was paid meanwhile stays
 * paid. Throws ProviderUnclear when the provider does not answer.
 */
export async function letGoWith(
  ctx: Context,
  kinds: PurchaseKinds,
  { chargeId, read, ...beside }: Pick<News, "chargeId" | "read" | "back">,
): Promise<ChargeStatus> {
  const charge = read ?? (await chargeRow(ctx, { chargeId }));
  const automatic =
    charge?.debitOn === null && isWaiting(charge.status) ? automaticOf(kinds, charge) : null;
  if (charge && automatic) {
    await automatic.letGo(ctx, charge);
    return await settleWith(ctx, kinds, { chargeId });
  }
  if (!charge?.providerChargeId || !isWaiting(charge.status)) return charge?.status ?? "failed";
  try {
    return await settleWith(ctx, kinds, {
      chargeId,
      said: await madeBy(ctx, charge).cancelCharge(charge.providerChargeId),
      read: charge,
      ...beside,
    });
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    return await settleWith(ctx, kinds, { chargeId, read: charge, ...beside });
  }
}

async function askedAgain(ctx: Context, kinds: PurchaseKinds, charge: Charge): Promise<Answer> {
  if (charge.providerChargeId)
    return { said: await madeBy(ctx, charge).chargeById(charge.providerChargeId) };
  return (
    (await automaticOf(kinds, charge)?.answer(ctx, charge)) ?? {
      said: await madeBy(ctx, charge).chargeByReference(charge.id),
    }
  );
}

type Beside = { read?: Charge | null; back?: KnownBack | null; money?: ChargeMoney | null };
/** `isBackKnown`: what the provider says went back was looked at in the same batch. */
type Settled = {
  status: ChargeStatus;
  refundId: string | null;
  announced: string | null;
  isUnwanted?: boolean;
  isBackKnown?: boolean;
};
type Applying = Answer & { back: KnownBack | null; money: ChargeMoney | null; alongside: Write[] };

async function applied(
  ctx: Context,
  kinds: PurchaseKinds,
  charge: Charge | null,
  { back, money, alongside, ...answer }: Applying,
): Promise<Settled> {
  const settlement = charge
    ? await kindOf(kinds, charge).settlement(ctx, charge, unlessTooLate(charge, answer))
    : null;
  if (!charge || !settlement) {
    await commit(ctx.db, alongside);
    return { status: "failed", refundId: null, announced: null };
  }
  switch (settlement.kind) {
    case "nothing": {
      const returned =
        answer.said && answer.said.refundedCents > 0 && back
          ? await returnedStatements(ctx, kinds, { charge, back, said: answer.said, money })
          : null;
      await commit(ctx.db, [
        askedStatement(ctx, charge),
        ...(isUnpaid(charge.status) ? [] : chargeCostStatements(ctx, charge, answer.said)),
        ...(settlement.also ?? []),
        ...(returned?.writes ?? []),
        ...alongside,
      ]);
      if (returned) logReturned(ctx, returned);
      return { status: charge.status, refundId: null, announced: null, isBackKnown: back !== null };
    }
    case "progress":
      await commit(ctx.db, [
        progressStatement(ctx, charge, {
          ...answer.said,
          status: settlement.status,
          failureCode: settlement.failureCode,
        }),
        ...settlement.also,
        ...alongside,
      ]);
      return {
        status: settlement.status,
        refundId: null,
        announced: settlement.announced ?? null,
        isUnwanted: settlement.isUnwanted ?? false,
      };
    case "paid":
      await commit(ctx.db, [
        ...(settlement.debt
          ? debtPaidStatements(ctx, charge, expected(answer.said), settlement.debt)
          : successStatements(ctx, charge, expected(answer.said), settlement)),
        ...settlement.also,
        ...alongside,
      ]);
      return { status: "succeeded", refundId: null, announced: settlement.announced };
    case "give_back": {
      // Booked as paid, and its refund decided, in the same batch: of what was really taken.
      const refundId = ctx.newId();
      const said = expected(answer.said);
      const taken = asTaken(charge, said.amountCents);
      await commit(ctx.db, [
        ...successStatements(ctx, taken, said, { isRenewal: false }),
        ...settlement.also,
        refundStatement(ctx, taken, {
          id: refundId,
          amountCents: taken.amountCents,
          reason: settlement.reason,
        }),
        ...alongside,
      ]);
      ctx.log("payments.given_back", { chargeId: charge.id, refundId, reason: settlement.log });
      return { status: "succeeded", refundId, announced: null };
    }
  }
}

/**
 * A refusal of a charge that moved on while it was on its way, whatever it pays for, says nothing
 * of it: its kind is asked as where nothing was heard.
 */
const unlessTooLate = (charge: Charge, answer: Answer): Answer =>
  answer.refusedCode !== undefined && !isWaiting(charge.status) ? { said: null } : answer;

/** A paid decision is only ever made from an answer of the provider. */
function expected(said: ProviderCharge | null): ProviderCharge {
  if (!said) throw new Error("a charge cannot be paid without the provider saying so");
  return said;
}
