import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { sql } from "drizzle-orm";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { isPartyToMoney } from "#app/domain/identity/colleagues/queries.server.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { debtWriteOff } from "#app/domain/ledger/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import {
  InvalidDebtAmount,
  DebtChanged,
  DebtNotOldEnough,
  DebtPixUnavailable,
  NothingOwed,
  DebtConflictOfInterest,
  TaxIdRequired,
  TooManyDebtCodes,
} from "#app/domain/payments/errors.ts";
import {
  debtAge,
  debtCodesCount,
  loadDebtPayment,
} from "#app/domain/payments/debts/queries/debts.server.ts";
import { isMethodOffered, acquirerFor } from "#app/domain/payments/providers/rules/providers.ts";
import {
  DEBT_DESCRIPTION,
  isDebtAmountPayable,
  writeOffLimitCents,
} from "#app/domain/payments/debts/rules.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { writeOffs } from "#drizzle/schema/payments.ts";
import { newChargeStatement } from "#app/domain/payments/charges/commands/charges.server.ts";
import { joinOrCancelOpenCheckout } from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import { requestCharge } from "#app/domain/payments/charges/commands/request.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";

/** Codes that one debtor may request in a day. Each cancels the one before at the provider. */
const CODES_A_DAY = 20;

/**
 * Starts "Quitar com Pix": a code by which a creator pays `amountCents` of their debt. One code is
 * open at a time: the same amount returns the same code, another amount cancels it first. No fee is
 * taken. Refuses NothingOwed, InvalidDebtAmount, DebtPixUnavailable (also when the provider
 * refuses), TaxIdRequired, and TooManyDebtCodes, which leaves the open code. Source: domain rules,
 * "Ledger"; docs/decisions/money/use-one-charge-for-everything-that-is-paid.md.
 */
export async function startDebtPayment(
  ctx: Context,
  { creatorId, amountCents }: { creatorId: string; amountCents: Cents },
): Promise<{ chargeId: string }> {
  const opened = await retryOnConflict(() => openOrJoin(ctx, { creatorId, amountCents }));
  if (opened.payer) {
    const { status } = await requestCharge(ctx, {
      chargeId: opened.chargeId,
      amountCents,
      description: DEBT_DESCRIPTION,
      method: "pix",
      expiresAt: opened.expiresAt,
      payerName: opened.payer.name,
      payerTaxId: opened.payer.taxId,
      cardToken: null,
      savedMethodId: null,
      saveMethod: false,
    });
    if (status === "failed") throw new DebtPixUnavailable();
  }
  return { chargeId: opened.chargeId };
}

type OpenedDebtCharge =
  | { chargeId: string; payer: null }
  | { chargeId: string; expiresAt: number; payer: { name: string; taxId: string | null } };

async function openOrJoin(
  ctx: Context,
  { creatorId, amountCents }: { creatorId: string; amountCents: Cents },
): Promise<OpenedDebtCharge> {
  if (!isMethodOffered("pix", ctx)) throw new DebtPixUnavailable();
  const { owedCents, open, payer } = await loadDebtPayment(ctx, { creatorId });
  const isJoining = open?.amountCents === amountCents;
  if (
    !isJoining &&
    (await debtCodesCount(ctx, { creatorId, since: ctx.now() - DAY_MS })) >= CODES_A_DAY
  )
    throw new TooManyDebtCodes();
  const openNow = async () => (await loadDebtPayment(ctx, { creatorId })).open;
  const joined =
    open &&
    (await joinOrCancelOpenCheckout(ctx, {
      wish: { method: "pix", amountCents, hasCardToken: false },
      open: { ...open, method: "pix" },
      openNow: async () => asOpen(await openNow()),
    }));
  if (joined) return { chargeId: joined.chargeId, payer: null };
  if (owedCents === 0 || !payer) throw new NothingOwed();
  if (!isDebtAmountPayable(amountCents, owedCents)) throw new InvalidDebtAmount(owedCents);
  const { needsPayerTaxId } = acquirerFor(ctx.payments, "pix");
  if (needsPayerTaxId && payer.taxId === null) throw new TaxIdRequired();
  const chargeId = ctx.newId();
  const expiresAt = ctx.now() + paymentMethods.pix.checkoutExpiresAfterMs;
  await commit(ctx.db, [
    newChargeStatement(ctx, {
      id: chargeId,
      payerId: creatorId,
      creatorId,
      purchaseKind: "debt",
      purchaseId: chargeId,
      description: DEBT_DESCRIPTION,
      amountCents,
      method: "pix",
      expiresAt,
      period: null,
    }),
  ]);
  return {
    chargeId,
    expiresAt,
    payer: { name: payer.name, taxId: needsPayerTaxId ? payer.taxId : null },
  };
}

const asOpen = (open: Awaited<ReturnType<typeof loadDebtPayment>>["open"]) =>
  open && { ...open, method: "pix" as const };

/**
 * Writes off debt of a creator that is older than 180 days, at the platform's cost. The creator is
 * not notified, since the money they have does not change. Refuses DebtConflictOfInterest (the
 * debtor, and whoever of their team sees the debt) and NothingOwed. Refuses DebtChanged if the debt
 * is not `seenOwedCents` any more: a sale recovered some, or the form came before. Refuses
 * DebtNotOldEnough for a newer debt or a larger amount than is that old. Source:
 * docs/decisions/money/use-one-charge-for-everything-that-is-paid.md.
 */
export async function writeOffDebt(
  ctx: Context,
  {
    creatorId,
    amountCents,
    seenOwedCents,
    reason,
    moderatorId,
  }: {
    creatorId: string;
    amountCents: Cents;
    seenOwedCents: Cents;
    reason: string;
    moderatorId: string;
  },
): Promise<void> {
  if (await isPartyToMoney(ctx, { creatorId, moderatorId })) throw new DebtConflictOfInterest();
  const age = await debtAge(ctx, { creatorId });
  if (age.owedCents === 0) throw new NothingOwed();
  if (age.owedCents !== seenOwedCents) throw new DebtChanged();
  const mostCents = writeOffLimitCents(age);
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0 || amountCents > mostCents)
    throw new DebtNotOldEnough(mostCents);
  const id = ctx.newId();
  const isAsRead = sql`(SELECT balance_cents FROM ledger_accounts WHERE id = ${`creator_owed:${creatorId}`}) = CAST(${age.owedCents} AS INTEGER)`;
  const row = sql`SELECT ${id} AS id, ${creatorId} AS creator_id, CAST(${amountCents} AS INTEGER) AS amount_cents, ${reason} AS reason, ${moderatorId} AS decided_by, CAST(${ctx.now()} AS INTEGER) AS created_at WHERE ${isAsRead}`;
  try {
    await commit(ctx.db, [
      mustChangeOne(ctx.db.insert(writeOffs).select(row)),
      ...postingStatements(ctx, debtWriteOff({ writeOffId: id, creatorId, amountCents })),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? new DebtChanged() : error;
  }
  ctx.log("payments.debt_written_off", { writeOffId: id, amountCents });
}
