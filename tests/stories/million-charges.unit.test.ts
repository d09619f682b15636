import { expect, test } from "vitest";
import {
  accountId,
  chargeRefunded,
  chargeReleased,
  chargeSucceeded,
} from "#app/domain/ledger/rules.ts";
import type { Posting } from "#app/domain/ledger/schema.ts";
import { splitFee, feeShareOfRefund } from "#app/domain/payments/rules.ts";
import { splitProportionally } from "#app/domain/payments/releases/rules/releases.ts";
import { createDice } from "#tests/support/chaos/scheduler.ts";
import type { Dice } from "#tests/support/chaos/scheduler.ts";

const CHARGES = 1_000_000;
const SEED = 20_261_122;
/** A creator has several charges: a debt of one is recovered from the next. */
const CHARGES_A_CREATOR = 50;
const ref = { chargeId: "c", creatorId: "ana", provider: "p" };

type Books = { owed: number; pending: number; available: number; fees: number; clearing: number };
const PLACES: Record<string, keyof Books> = {
  "creator_owed:ana": "owed",
  "creator_pending:ana": "pending",
  "creator_available:ana": "available",
  platform_fees: "fees",
  "provider_clearing:p": "clearing",
};
/**
 * Sign of each balance. Debits are positive, as in the ledger: debts and provider balances are
 * debits.
 */
const SIDES: Books = { owed: 1, pending: -1, available: -1, fees: -1, clearing: 1 };

function post(books: Books, { legs }: Posting): void {
  for (const { account, debitCents } of legs) {
    const place = PLACES[accountId(account)];
    if (!place) throw new Error(`an account of nobody: ${accountId(account)}`);
    books[place] += debitCents * SIDES[place];
  }
}

/** Includes small amounts, where one centavo matters, and both the usual fee and any other. */
const amountOf = ({ chance, below }: Dice): number =>
  chance(20) ? 1 + below(60) : 1 + below(500_000);
const feeRateOf = ({ chance, below }: Dice): number => (chance(60) ? 500 : below(10_001));

/**
 * Returns what is wrong with a charge between its payment and its last refund, or null. `books` are
 * the creator's balances, with what earlier charges left there.
 */
function problemOf(chance: Dice, books: Books): string | null {
  const [amountCents, basisPoints] = [amountOf(chance), feeRateOf(chance)];
  const { feeCents, netCents } = splitFee(amountCents, basisPoints);
  if (feeCents + netCents !== amountCents || feeCents < 0 || netCents < 0)
    return `${amountCents} at ${basisPoints}: ${feeCents} and ${netCents}`;
  if (feeCents !== Math.floor((amountCents * basisPoints + 5_000) / 10_000))
    return `${amountCents} at ${basisPoints}: the statement that writes it says otherwise`;
  const fees = books.fees;
  post(books, chargeSucceeded({ ...ref, grossCents: amountCents, feeCents }));

  const weights = Array.from({ length: 1 + chance.below(4) }, () => 1 + chance.below(9_000));
  const parts = splitProportionally(netCents, weights);
  if (parts.reduce((sum, part) => sum + part, 0) !== netCents || parts.some((part) => part < 0))
    return `${netCents} in parts of ${weights.join()}: ${parts.join()}`;

  const charge = {
    amountCents,
    feeCents,
    refundedCents: 0,
    refundedFeeCents: 0,
    disputedCents: 0,
    disputedFeeCents: 0,
  };
  let pendingOfChargeCents = netCents;
  for (
    let refunds = chance.below(4);
    refunds > 0 && charge.refundedCents < amountCents;
    refunds -= 1
  ) {
    const leftCents = amountCents - charge.refundedCents;
    // Refunds the rest half of the time, so that the parts reach the whole amount at some point.
    const part = chance.chance(50) ? leftCents : 1 + chance.below(leftCents);
    const feeShareCents = feeShareOfRefund(charge, part);
    charge.refundedCents += part;
    charge.refundedFeeCents += feeShareCents;
    if (feeShareCents < 0 || feeShareCents > part)
      return `${part} of ${amountCents} gives back ${feeShareCents} of ${feeCents}`;
    // At most half a centavo away from the share of everything refunded so far.
    if (
      Math.abs(charge.refundedFeeCents * amountCents - feeCents * charge.refundedCents) * 2 >
      amountCents
    )
      return `${charge.refundedCents} of ${amountCents}: ${charge.refundedFeeCents} of ${feeCents}`;
    post(
      books,
      chargeRefunded({
        ...ref,
        refundId: "r",
        amountCents: part,
        feeShareCents,
        recourse: { pendingOfChargeCents, availableCents: books.available },
      }),
    );
    pendingOfChargeCents -= Math.min(part - feeShareCents, pendingOfChargeCents);
    if (chance.chance(30)) pendingOfChargeCents = released(books, pendingOfChargeCents);
    // An occasional payout, so that the balance sometimes does not cover the next refund.
    if (chance.chance(30)) paidOut(books);
  }
  if (charge.refundedCents === amountCents && charge.refundedFeeCents !== feeCents)
    return `${amountCents} went back whole, and ${charge.refundedFeeCents} of ${feeCents}`;
  if (books.fees - fees !== feeCents - charge.refundedFeeCents)
    return `${books.fees - fees} stayed of ${feeCents}`;
  const owed = books.owed;
  const freeCents = pendingOfChargeCents;
  released(books, freeCents);
  if (owed - books.owed > freeCents / 2) return `${owed - books.owed} was kept of ${freeCents}`;
  if (owed - books.owed !== Math.min(owed, Math.floor(freeCents / 2)))
    return `${owed} was owed, and ${owed - books.owed} recovered of ${freeCents}`;
  if (books.owed < 0 || books.available < 0 || books.pending !== 0)
    return `below zero: ${JSON.stringify(books)}`;
  return books.clearing === books.pending + books.available + books.fees - books.owed
    ? null
    : `not even: ${JSON.stringify(books)}`;
}

/** Releases what the charge still has pending. */
function released(books: Books, netCents: number): 0 {
  post(books, chargeReleased({ ...ref, position: 0, netCents, owedCents: books.owed }));
  return 0;
}

function paidOut(books: Books): void {
  books.clearing -= books.available;
  books.available = 0;
}

test(
  `${CHARGES.toLocaleString("en")} charges, their refunds, and what is owed after them: parts always add to the whole, to the centavo`,
  { timeout: 60_000 },
  () => {
    const chance = createDice(SEED);
    let owing = 0;
    let books: Books = { owed: 0, pending: 0, available: 0, fees: 0, clearing: 0 };
    for (let number = 0; number < CHARGES; number += 1) {
      if (number % CHARGES_A_CREATOR === 0)
        books = { owed: 0, pending: 0, available: 0, fees: 0, clearing: 0 };
      const problem = problemOf(chance, books);
      if (problem !== null) throw new Error(`seed ${SEED}, charge ${number}: ${problem}`);
      if (books.owed > 0) owing += 1;
      if (chance.chance(30)) paidOut(books);
    }
    // Without any debt, the million charges would cover less than the test claims.
    expect(owing).toBeGreaterThan(CHARGES / 50);
  },
);
