import { afterEach, beforeEach, expect, test } from "vitest";
import { recordProviderTransfer } from "#app/domain/ledger/platform-money/commands/provider-transfers.server.ts";
import type { Context } from "#app/domain/context.ts";
import { providerBookBalances } from "#app/domain/ledger/platform-money/queries/providers.server.ts";
import { providerBalances } from "#app/domain/ledger/platform-money/queries/provider-balances.server.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import { createPaymentRouter } from "#app/domain/payments/providers/rules/providers.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { takenBy } from "#tests/support/takers.ts";
import { paidTip } from "#tests/support/tips.ts";

let world: World;
let ctx: Context;
/** The ledger balance at the sandbox provider before this file's tests. */
let beforeCents: number;
beforeEach(async () => {
  world = await testContext();
  const other = { ...world.ctx.payments, name: "banco" };
  ctx = {
    ...world.ctx,
    payments: createPaymentRouter(
      [world.ctx.payments, other],
      takenBy({ pix: "sandbox", card: "banco" }),
    ),
  };
  await paidTip(world, await createPerson(world.ctx, "Bruno"), await createSeller(world.ctx));
  beforeCents = await at("sandbox");
});
afterEach(() => expectInvariantsToHold(ctx));

const at = async (name: string) =>
  (await providerBookBalances(ctx)).providers.find((one) => one.name === name)?.cents ?? 0;
const move = (more: Partial<Parameters<typeof recordProviderTransfer>[1]> = {}) =>
  recordProviderTransfer(ctx, {
    id: ctx.newId(),
    from: "sandbox",
    to: "banco",
    amountCents: 1_500,
    note: "TED 123",
    movedBy: "carla",
    ...more,
  });
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: Error) => error.message,
  );

test("a provider transfer moves the ledger balance to the other provider and changes no creator's balance", async () => {
  const banco = await at("banco");
  await move();
  expect([await at("sandbox"), await at("banco")]).toEqual([beforeCents - 1_500, banco + 1_500]);
  expect((await providerBookBalances(ctx)).moves[0]).toMatchObject({
    fromProvider: "sandbox",
    toProvider: "banco",
    amountCents: 1_500,
    note: "TED 123",
    movedBy: "carla",
  });
  await move({ from: "banco", to: "sandbox" });
  expect([await at("sandbox"), await at("banco")]).toEqual([beforeCents, banco]);
});

test("shows the balance that each provider reports, even if another does not answer", async () => {
  const unavailable = {
    ...world.ctx.payments,
    name: "banco",
    balance: () => Promise.reject(new Error("down")),
  };
  const balances = await providerBalances({
    ...ctx,
    payments: createPaymentRouter(
      [world.ctx.payments, unavailable],
      takenBy({ pix: "sandbox", card: "banco" }),
    ),
  });
  const { availableCents, pendingCents } = await (world.ctx.payments as PaymentProvider).balance();
  expect([...balances]).toEqual([
    ["sandbox", availableCents + pendingCents],
    ["banco", null],
  ]);
});

test("the same form sent twice, also concurrently, moves once; with other values it is refused", async () => {
  const id = ctx.newId();
  await Promise.all([move({ id }), move({ id })]);
  await move({ id });
  expect(await at("sandbox")).toBe(beforeCents - 1_500);
  expect(await refusal(move({ id, amountCents: 1 }))).toMatch(
    /^Esta movimentação já foi anotada com outros dados/,
  );
});

test.each([
  ["to itself", { to: "sandbox" }, "Escolha dois provedores diferentes."],
  [
    "from a provider that is not configured",
    { from: "stripe" },
    "Um destes provedores não está configurado.",
  ],
  [
    "more than the balance",
    { amountCents: 99_999_999 },
    "É mais do que o livro tem neste provedor.",
  ],
])("%s is refused, and nothing is booked", async (_, more, message) => {
  expect(await refusal(move(more))).toBe(message);
  expect(await at("sandbox")).toBe(beforeCents);
});

test("two members of staff at once cannot move the same money", async () => {
  const results = await Promise.allSettled([
    move({ amountCents: beforeCents }),
    move({ amountCents: beforeCents }),
  ]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await at("sandbox")).toBe(0);
});
