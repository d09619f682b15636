import { sql } from "drizzle-orm";
import type { MiddlewareFunction } from "react-router";
import { afterEach, beforeEach, expect, test } from "vitest";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { TransactionNotFound } from "#app/domain/billing/errors.ts";
import {
  earningsFigureRows,
  creatorEarnings,
} from "#app/domain/ledger/statements/queries/earnings.server.ts";
import { marginLines } from "#app/domain/ledger/margin/queries.server.ts";
import {
  earningsFigureNames,
  sumEarningsFigures,
} from "#app/domain/ledger/statements/rules/earnings.ts";
import { sumMarginLines } from "#app/domain/ledger/margin/rules.ts";
import {
  startDebtPayment,
  writeOffDebt,
} from "#app/domain/payments/debts/commands/debts.server.ts";
import {
  InvalidDebtAmount,
  DebtChanged,
  DebtNotOldEnough,
  NothingOwed,
  DebtConflictOfInterest,
  TooManyDebtCodes,
} from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { debtAge } from "#app/domain/payments/debts/queries/debts.server.ts";
import { debtors } from "#app/domain/payments/debts/queries/debtors.server.ts";
import { writeOffLimitCents } from "#app/domain/payments/debts/rules.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { requireModerator } from "#app/http/require-member.ts";
import * as ledgerAccount from "#app/routes/admin/ledger/ledger-account.tsx";
import * as debtPayment from "#app/routes/settings/payouts/debt-payment.tsx";
import * as debtPage from "#app/routes/settings/payouts/debt.tsx";
import * as receiptPage from "#app/routes/settings/purchases/receipt.tsx";
import * as transactionPage from "#app/routes/settings/sales/transaction.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createDebtor } from "#tests/support/debtor.ts";
import { payAtBank, paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { moderatorInTeam } from "#tests/support/teams.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ana: Seller;
beforeEach(async () => {
  // Refunds of other tests would be missing at the provider, and payouts would wait for that money.
  await Promise.all([
    cleanDatabase("DB", testEnv.DB, []),
    cleanDatabase("PSP_DB", testEnv.PSP_DB, []),
  ]);
  world = await testContext();
  ana = await createDebtor(world);
});
afterEach(() => expectInvariantsToHold(world.ctx));

/** The taxable figures of Ana's statements, each equal to the entries behind it. */
async function figures() {
  const asked = { creatorId: ana.id, from: 0, until: world.ctx.now() + DAY_MS };
  const sum = sumEarningsFigures(
    (await creatorEarnings(world.ctx, { ...asked, by: "month" })).effects,
  );
  for (const figure of earningsFigureNames) {
    const { items } = await earningsFigureRows(world.ctx, {
      ...asked,
      figure,
      cursor: null,
      limit: 100,
    });
    expect([figure, items.reduce((total, { cents }) => total + cents, 0)]).toEqual([
      figure,
      sum[figure],
    ]);
  }
  return sum;
}

const money = () => creatorBalances(world.ctx, { creatorId: ana.id });
const wish = (amountCents: number) =>
  startDebtPayment(world.ctx, { creatorId: ana.id, amountCents });

async function codeFor(
  amountCents: number,
): Promise<{ chargeId: string; providerChargeId: string }> {
  const { chargeId } = await wish(amountCents);
  return {
    chargeId,
    providerChargeId: (await chargeRow(world.ctx, { chargeId }))?.providerChargeId ?? "",
  };
}

test("a debt paid by Pix is cleared once, without a fee, and is not a sale", async () => {
  expect(await money()).toMatchObject({ availableCents: 0, owedCents: 1_890 });
  const code = await codeFor(1_890);
  expect(await money()).toMatchObject({ owedCents: 1_890 });
  await payAtBank(world, code);
  await world.drain();
  await Promise.all([settleCharge(world.ctx, code), settleCharge(world.ctx, code)]);
  expect(await money()).toMatchObject({ availableCents: 0, pendingCents: 0, owedCents: 0 });
  expect(await chargeRow(world.ctx, code)).toMatchObject({
    status: "succeeded",
    feeCents: 0,
    netCents: 1_890,
    pendingCents: 0,
    costCents: 19,
  });
  const period = { from: 0, until: world.ctx.now() + DAY_MS };
  const lines = await marginLines(world.ctx, { ...period, methods: ["pix"] });
  expect(lines.find(({ group }) => group.of === "debts")).toMatchObject({
    count: 1,
    grossCents: 0,
    feeCents: 0,
    costCents: 19,
  });
  expect(sumMarginLines(lines)).toMatchObject({ grossCents: 1_990 });
  const totals = await world.ctx.db.all<{ amount: number }>(
    sql`SELECT amount_cents AS amount FROM transaction_totals WHERE person_id = ${ana.id} AND count <> 0`,
  );
  expect(totals.map(({ amount }) => amount)).toEqual([1_990]);
  await expect(
    refundCharge(world.ctx, {
      sellerId: ana.id,
      decidedBy: ana.id,
      chargeId: code.chargeId,
      refundId: world.ctx.newId(),
      amountCents: 1_890,
      reason: "",
    }),
  ).rejects.toBeInstanceOf(TransactionNotFound);
  await expect(wish(1_890)).rejects.toBeInstanceOf(NothingOwed);
});

test("a partial payment leaves the rest owed, and what a sale recovered while the code was open goes to the creator", async () => {
  const part = await codeFor(500);
  await payAtBank(world, part);
  await world.drain();
  expect(await money()).toMatchObject({ owedCents: 1_390 });

  await paidSubscription(world, await createPerson(world.ctx, "Clara"), ana);
  await world.advance(9 * DAY_MS - 10 * MINUTE_MS);
  const code = await codeFor(1_390);
  await world.tick();
  await world.advance(11 * MINUTE_MS);
  await world.tick();
  expect(await money()).toMatchObject({ availableCents: 945, owedCents: 445 });
  await payAtBank(world, code);
  await world.drain();
  expect(await money()).toMatchObject({ availableCents: 945 + (1_390 - 445), owedCents: 0 });
});

test("one open Pix code at a time: the same amount reuses it, another amount replaces it, two clicks create one", async () => {
  const [first, second] = await Promise.all([wish(1_000), wish(1_000)]);
  expect(first).toEqual(second);
  const other = await wish(700);
  expect([
    (await chargeRow(world.ctx, first))?.status,
    (await chargeRow(world.ctx, other))?.status,
  ]).toEqual(["canceled", "awaiting_payment"]);
  for (const amountCents of [0, 499, 1_891])
    await expect(
      startDebtPayment(world.ctx, { creatorId: ana.id, amountCents }),
    ).rejects.toBeInstanceOf(InvalidDebtAmount);
});

test("allows twenty codes a day: the last stays open and is shown again, and new ones are allowed a day later", async () => {
  const amountOf = (code: number) => 500 + (code % 2);
  for (let code = 1; code < 20; code += 1) await wish(amountOf(code));
  const last = await wish(amountOf(20));
  await expect(wish(1_890)).rejects.toBeInstanceOf(TooManyDebtCodes);
  expect(await wish(amountOf(20))).toEqual(last);
  expect((await chargeRow(world.ctx, last))?.status).toBe("awaiting_payment");
  await world.advance(DAY_MS + MINUTE_MS);
  await world.tick();
  expect((await chargeRow(world.ctx, await wish(1_890)))?.status).toBe("awaiting_payment");
});

test("a MED dispute of the payment restores the debt: funds are reserved while open, and taken when it is lost", async () => {
  const code = await codeFor(1_890);
  await payAtBank(world, code);
  await world.drain();
  const opened = await world.console(`/sandbox/charges/${code.providerChargeId}/dispute`);
  await world.drain();
  expect(await money()).toMatchObject({
    availableCents: 0,
    reservedCents: 1_890,
    owedCents: 1_890,
  });
  // A refunded sale keeps its original figures. The debt is no sale, and its dispute takes nothing
  // from the net.
  const asSold = { gross: 1_990, returned: 1_990, disputed: 0, fee: 0, net: 0, paid: 1_890 };
  expect(await figures()).toEqual({ ...asSold, other: 0 });
  await world.console(`/sandbox/disputes/${String(opened.body.id)}/lose`);
  await world.drain();
  expect(await figures()).toEqual({ ...asSold, other: 0 });
  expect(await money()).toMatchObject({ availableCents: 0, reservedCents: 0, owedCents: 1_890 });
});

test("a won dispute clears the debt again", async () => {
  const code = await codeFor(1_890);
  await payAtBank(world, code);
  await world.drain();
  const opened = await world.console(`/sandbox/charges/${code.providerChargeId}/dispute`);
  await world.drain();
  await world.console(`/sandbox/disputes/${String(opened.body.id)}/win`);
  await world.drain();
  expect(await money()).toMatchObject({ availableCents: 0, reservedCents: 0, owedCents: 0 });
});

test("a moderator writes off a debt only after 180 days, never more than owed, never twice, never their own", async () => {
  const carla = await createModerator(world.ctx);
  const off = (amountCents: number, moderatorId = carla.id, seenOwedCents = 1_890) =>
    writeOffDebt(world.ctx, {
      creatorId: ana.id,
      amountCents,
      seenOwedCents,
      reason: "Conta parada, sem vendas.",
      moderatorId,
    });
  await world.advance(179 * DAY_MS);
  await expect(off(1)).rejects.toBeInstanceOf(DebtNotOldEnough);
  await world.advance(2 * DAY_MS);
  await expect(off(1_891)).rejects.toBeInstanceOf(DebtNotOldEnough);
  const colleague = await moderatorInTeam(world.ctx, ana.id);
  for (const side of [ana, colleague])
    await expect(off(1_000, side.id)).rejects.toBeInstanceOf(DebtConflictOfInterest);
  const both = await Promise.allSettled([off(1_000), off(1_000)]);
  const refused = both.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(
    refused.every((reason) => reason instanceof DebtChanged || reason instanceof DebtNotOldEnough),
  ).toBe(true);
  expect(refused).toHaveLength(1);
  expect(await money()).toMatchObject({ availableCents: 0, owedCents: 890 });
  // Submits the same form again, for an amount that would still fit.
  await expect(off(500)).rejects.toBeInstanceOf(DebtChanged);
  await off(500, carla.id, 890);
  expect(await money()).toMatchObject({ availableCents: 0, owedCents: 390 });
});

test("the charge page says it is nobody's sale: it has no receipt, and an ended code is not wrongly called expired", async () => {
  const routes = callRoutesAs([
    { path: "settings/transactions/:id", module: transactionPage },
    { path: "settings/transactions/:id/recibo", module: receiptPage },
    { path: "settings/transfers/debt/:chargeId", module: debtPayment },
  ]);
  const own = { person: ana, isCreator: true };
  const first = await codeFor(1_000);
  const code = await codeFor(700);
  expect(await routes.read(own, `/settings/transfers/debt/${first.chargeId}`)).toMatchObject({
    ended: expect.stringContaining("não vale mais"),
  });
  await payAtBank(world, code);
  await world.drain();
  const path = `/settings/transactions/${code.chargeId}`;
  expect(await routes.read(own, path)).toMatchObject({
    side: "payer",
    charge: { purchaseKind: "debt" },
    kindWord: "Quitação do valor a descontar",
    hasReceipt: false,
    seller: { soldBy: null },
    isInCoolingOff: false,
  });
  expect((await routes.get(own, `${path}/recibo`)).status).toBe(404);
  expect(
    await routes.read({ person: await createModerator(world.ctx), isModerator: true }, path),
  ).toMatchObject({ side: "moderation", mayRefund: false, hasReceipt: false });
});

test("staff see the debtors, oldest debt first, and which debts may be written off", async () => {
  await world.advance(DAY_MS);
  // Sales of another creator, never withdrawn, leave enough money to pay out to the second debtor.
  const other = await createSeller(world.ctx, { approved: false });
  for (const name of ["Clara", "Davi"])
    await paidSubscription(world, await createPerson(world.ctx, name), other);
  const later = await createDebtor(world);
  const listed = async () =>
    (await debtors(world.ctx, { cursor: null, limit: 9 })).items.map(
      ({ creatorId, owedCents, isOld }) => ({ creatorId, owedCents, isOld }),
    );
  expect(await listed()).toEqual(
    [ana, later].map(({ id }) => ({ creatorId: id, owedCents: 1_890, isOld: false })),
  );
  const first = await debtors(world.ctx, { cursor: null, limit: 1 });
  expect([
    first.items.map(({ creatorId }) => creatorId),
    (await debtors(world.ctx, { cursor: first.next, limit: 1 })).items.map(
      ({ creatorId }) => creatorId,
    ),
  ]).toEqual([[ana.id], [later.id]]);
  // 180 days after the first debt, which is ten days older.
  await world.advance((first.items[0]?.since ?? 0) + 180 * DAY_MS - world.ctx.now());
  expect((await listed()).map(({ isOld }) => isOld)).toEqual([true, false]);
  for (const { id, isOld } of [
    { ...ana, isOld: true },
    { ...later, isOld: false },
  ])
    expect(writeOffLimitCents(await debtAge(world.ctx, { creatorId: id })) > 0).toBe(isOld);
  await writeOffDebt(world.ctx, {
    creatorId: ana.id,
    moderatorId: (await createModerator(world.ctx)).id,
    amountCents: 1_890,
    seenOwedCents: 1_890,
    reason: "Conta parada, sem vendas.",
  });
  expect(await listed()).toEqual([{ creatorId: later.id, owedCents: 1_890, isOld: false }]);
});

test("the pages show the debt and its reason, a code with its page, and the staff list", async () => {
  const carla = await createModerator(world.ctx);
  const routes = callRoutesAs([
    { path: "settings/transfers/debt", module: debtPage },
    { path: "settings/transfers/debt/:chargeId", module: debtPayment },
    {
      path: "admin/ledger/accounts/:accountId",
      module: ledgerAccount,
      middleware: [requireModerator as MiddlewareFunction],
    },
  ]);
  const own = { person: ana, isCreator: true };
  expect(await routes.read(own, "/settings/transfers/debt")).toMatchObject({
    owedCents: 1_890,
    mayPay: true,
    openPath: null,
    reasons: { items: [{ cents: 1_890, kind: "charge.refunded" }], isCut: false },
  });
  const bad = await routes.post(own, "/settings/transfers/debt", { amount: "1" });
  expect([bad.status, await bad.json()]).toMatchObject([
    400,
    { errors: { amount: expect.stringContaining("Escolha um valor") }, values: { amount: "1" } },
  ]);
  const sent = await routes.post(own, "/settings/transfers/debt", { amount: "18,90" });
  const path = sent.headers.get("location") ?? "";
  expect([sent.status, path]).toEqual([
    303,
    expect.stringMatching(/^\/settings\/transfers\/debt\/\w+$/),
  ]);
  expect(await routes.read(own, path)).toMatchObject({ waits: true, amountCents: 1_890 });
  expect((await routes.get({ person: carla }, path)).status).toBe(404);

  const account = `/admin/ledger/accounts/${encodeURIComponent(`creator_owed:${ana.id}`)}`;
  const staff = { person: carla, isModerator: true };
  expect(await routes.read(staff, account)).toMatchObject({
    debt: { owedCents: 1_890, writableCents: 0, isOwn: false },
  });
  expect(
    await routes.read(
      { person: await moderatorInTeam(world.ctx, ana.id), isModerator: true },
      account,
    ),
  ).toMatchObject({ debt: { isOwn: true } });
  const early = await routes.post(staff, account, {
    owed: "1890",
    amount: "18,90",
    reason: "Conta parada, sem vendas.",
  });
  expect([early.status, await early.json()]).toMatchObject([
    400,
    { errors: { amount: "Nada aqui é devido há mais de 180 dias." } },
  ]);
  expect(
    (
      await routes.post(own, account, {
        owed: "1890",
        amount: "18,90",
        reason: "Conta parada, sem vendas.",
      })
    ).status,
  ).toBe(404);
});
