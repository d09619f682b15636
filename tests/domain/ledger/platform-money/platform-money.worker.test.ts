import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import {
  requestPlatformWithdrawal,
  decidePlatformWithdrawal,
  recordPlatformDeposit,
} from "#app/domain/ledger/platform-money/commands/platform-money.server.ts";
import type { PlatformMoney } from "#app/domain/ledger/platform-money/commands/platform-money.server.ts";
import { platformMoneyOverview } from "#app/domain/ledger/platform-money/queries/platform-money.server.ts";
import { providerBookBalances } from "#app/domain/ledger/platform-money/queries/providers.server.ts";
import { ledgerStatement } from "#app/domain/ledger/statements/queries/statement.server.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import { DAY_MS, isoDay } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { eq } from "drizzle-orm";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { invariantsBrokenBy } from "#tests/support/invariant-breach.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { paidTip } from "#tests/support/tips.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ctx: Context;
/** What the provider holds beyond its balance in the ledger. Zero unless a test sets it. */
let beyondCents: number;
let ana: Seller;
let carla: TestPerson;
let maria: TestPerson;
beforeEach(async () => {
  world = await testContext();
  beyondCents = 0;
  ctx = {
    ...world.ctx,
    payments: {
      ...(world.ctx.payments as PaymentProvider),
      balance: async () => ({ availableCents: (await at()) + beyondCents, pendingCents: 0 }),
    },
  };
  ana = await createSeller(ctx);
  [carla, maria] = [await createModerator(ctx), await createModerator(ctx)];
  await paidTip(world, await createPerson(ctx, "Bruno"), ana);
});
afterEach(() => expectInvariantsToHold(ctx));

const at = async () =>
  (await providerBookBalances(ctx)).providers.find(({ name }) => name === "sandbox")?.cents ?? 0;
const own = async () => (await platformMoneyOverview(ctx)).ownCents;
const form = (more: Partial<PlatformMoney> = {}): PlatformMoney => ({
  id: ctx.newId(),
  provider: "sandbox",
  amountCents: 50,
  movedOn: isoDay(ctx.now()),
  note: "TED 123",
  personId: carla.id,
  ...more,
});
const ask = async (more: Partial<PlatformMoney> = {}) => {
  const asked = form(more);
  await requestPlatformWithdrawal(ctx, { ...asked, moderatorIds: [carla.id, maria.id] });
  return asked.id;
};
const decide = (id: string, decision: "approved" | "refused" = "approved", personId = maria.id) =>
  decidePlatformWithdrawal(ctx, { id, decision, personId });
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: Error) => error.message,
  );
const NOT_OWN = "É mais do que é da plataforma. O resto é de quem cria e de quem pagou.";

test("a platform deposit raises the provider balance and the cash statement, and no creator's balance", async () => {
  const [before, ownBefore, ofAna] = [
    await at(),
    await own(),
    await creatorBalances(ctx, { creatorId: ana.id }),
  ];
  await recordPlatformDeposit(ctx, form({ amountCents: 1_500 }));
  expect([await at(), await own()]).toEqual([before + 1_500, ownBefore + 1_500]);
  expect(await creatorBalances(ctx, { creatorId: ana.id })).toEqual(ofAna);
  expect((await platformMoneyOverview(ctx)).moves.items[0]).toMatchObject({
    way: "in",
    provider: "sandbox",
    amountCents: 1_500,
    note: "TED 123",
    by: carla.name,
    movedOn: isoDay(ctx.now()),
  });
  const { items } = await ledgerStatement(ctx, {
    of: { account: { kind: "platform_cash", ownerId: null } },
    from: null,
    until: null,
    cursor: null,
    limit: 1,
  });
  expect(items).toMatchObject([{ kind: "platform.put_in", amountCents: -1_500 }]);
});

test("a withdrawal is requested by one member of staff and approved by another, who is notified, then booked once", async () => {
  const [before, ownBefore] = [await at(), await own()];
  const id = await ask();
  expect([await at(), await own()]).toEqual([before, ownBefore]);
  await world.drain();
  const notificationsOf = (personId: string) =>
    ctx.db.select().from(notifications).where(eq(notifications.personId, personId));
  expect(await notificationsOf(carla.id)).toEqual([]);
  expect(await notificationsOf(maria.id)).toMatchObject([
    {
      body: "Uma retirada da plataforma de R$\u00A00,50, do provedor sandbox, espera outra pessoa aprovar.",
    },
  ]);
  expect(await refusal(decide(id, "approved", carla.id))).toMatch(
    /^Quem pede uma retirada não a aprova/,
  );
  await decide(id);
  expect([await at(), await own()]).toEqual([before - 50, ownBefore - 50]);
  expect((await platformMoneyOverview(ctx)).moves.items[0]).toMatchObject({
    way: "out",
    amountCents: 50,
    by: carla.name,
    approvedBy: maria.name,
  });
  expect(await refusal(decide(id))).toMatch(/^Esta retirada já foi decidida/);
  expect(await at()).toBe(before - 50);
});

test("approval is refused while a provider holds less than the ledger says, beyond pending payments, or does not answer", async () => {
  const [before, notedCents] = [await at(), 10_000_000];
  // The deposit is recorded but did not arrive. A withdrawal would take the money of others.
  await recordPlatformDeposit(ctx, form({ amountCents: notedCents }));
  beyondCents = -notedCents;
  const id = await ask({ amountCents: notedCents });
  expect(await refusal(decide(id))).toMatch(
    /^Um provedor diz que tem menos do que o livro tem nele/,
  );
  const unavailable = {
    ...ctx,
    payments: {
      ...(ctx.payments as PaymentProvider),
      balance: () => Promise.reject(new Error("down")),
    },
  };
  expect(
    await refusal(
      decidePlatformWithdrawal(unavailable, { id, decision: "approved", personId: maria.id }),
    ),
  ).toMatch(/^Um provedor não respondeu/);
  expect(await at()).toBe(before + notedCents);
  beyondCents = 0;
  await decide(id);
  expect(await at()).toBe(before);
});

test("a withdrawal refused by another or by its requester books nothing", async () => {
  const before = await at();
  for (const personId of [maria.id, carla.id]) await decide(await ask(), "refused", personId);
  expect(await at()).toBe(before);
  expect((await platformMoneyOverview(ctx)).withdrawals.items).toMatchObject([
    { state: "refused" },
    { state: "refused" },
  ]);
});

test("the same form sent twice, also concurrently, books once; with other values it is refused", async () => {
  const before = await at();
  const put = form();
  await Promise.all([recordPlatformDeposit(ctx, put), recordPlatformDeposit(ctx, put)]);
  await recordPlatformDeposit(ctx, put);
  expect(await at()).toBe(before + 50);
  expect(await refusal(recordPlatformDeposit(ctx, { ...put, amountCents: 51 }))).toMatch(
    /^Isto já foi anotado com outros dados/,
  );
  const id = ctx.newId();
  await Promise.all([ask({ id }), ask({ id })]);
  expect(await refusal(ask({ id, note: "outra" }))).toMatch(
    /^Isto já foi anotado com outros dados/,
  );
  expect(
    (await platformMoneyOverview(ctx)).withdrawals.items.filter((asked) => asked.id === id),
  ).toHaveLength(1);
});

describe("money that is not the platform's", () => {
  test("cannot be requested, even if the provider holds it", async () => {
    expect(await at()).toBeGreaterThan((await own()) + 1);
    expect(await refusal(ask({ amountCents: (await own()) + 1 }))).toBe(NOT_OWN);
    expect(await refusal(ask({ amountCents: (await at()) + 1 }))).toBe(
      "É mais do que o livro tem neste provedor.",
    );
  });

  test("cannot be approved twice, also concurrently: the platform's funds are checked again at approval", async () => {
    const [before, ownBefore] = [await at(), await own()];
    const asked = [await ask({ amountCents: ownBefore }), await ask({ amountCents: ownBefore })];
    const results = await Promise.all(asked.map((id) => refusal(decide(id))));
    expect(results.toSorted()).toEqual(["done", NOT_OWN].toSorted());
    expect([await at(), await own()]).toEqual([before - ownBefore, 0]);
    for (const { id } of (await platformMoneyOverview(ctx)).withdrawals.items.filter(
      ({ state }) => state === "asked",
    ))
      await decide(id, "refused");
  });

  test("includes the fee of a charge whose refund is pending", async () => {
    const { charge } = await paidTip(world, await createPerson(ctx, "Davi"), ana);
    const ownBefore = await own();
    await testEnv.DB.prepare(
      "INSERT INTO refunds (id, charge_id, amount_cents, fee_share_cents, reason, status, created_at) VALUES (?, ?, ?, ?, 'x', 'requested', ?)",
    )
      .bind(`r-${charge.id}`, charge.id, charge.amountCents, charge.feeCents, ctx.now())
      .run();
    expect(await own()).toBe(ownBefore - charge.feeCents);
    await testEnv.DB.prepare(
      "UPDATE refunds SET status = 'failed', decided_by = 'carla' WHERE id = ?",
    )
      .bind(`r-${charge.id}`)
      .run();
  });
});

test.each([
  [
    "a provider that is not configured",
    { provider: "stripe" },
    "Este provedor não está configurado.",
  ],
  [
    "a day in the future",
    { movedOn: "2100-01-01" },
    "Anote depois que o dinheiro entrar: este dia ainda não chegou.",
  ],
  [
    "a day too far in the past",
    { movedOn: "2020-01-01" },
    "Escolha um dia dos últimos 90, ou da próxima semana se for uma retirada.",
  ],
])("%s is refused", async (_, more, message) => {
  expect(await refusal(recordPlatformDeposit(ctx, form(more)))).toBe(message);
});

test("a withdrawal can be dated up to a week ahead", async () => {
  const inDays = (days: number) => isoDay(ctx.now() + days * DAY_MS);
  await decide(await ask({ movedOn: inDays(7), amountCents: 1 }), "refused");
  expect(await refusal(ask({ movedOn: inDays(8) }))).toMatch(/^Escolha um dia/);
});

describe("the database refuses", () => {
  const run = (query: string, ...values: unknown[]) =>
    testEnv.DB.prepare(query)
      .bind(...values)
      .run();
  const insert =
    "INSERT INTO provider_moves (id, from_provider, to_provider, amount_cents, note, moved_by, created_at, moved_on, own_cents)";

  test("a withdrawal without an approval", () =>
    expect(
      run(
        `${insert} VALUES (?, 'sandbox', 'platform_cash', 1, 'x', 'carla', 1, '2026-01-01', (SELECT cents FROM platform_own))`,
        ctx.newId(),
      ),
    ).rejects.toThrow("immutable_provider_move"));
  test("self-approval, and changing or deleting a request", async () => {
    const id = await ask();
    await expect(
      run(
        "UPDATE platform_withdrawals SET state = 'approved', decided_by = asked_by, decided_at = 1 WHERE id = ?",
        id,
      ),
    ).rejects.toThrow("ledger_same_person");
    await expect(
      run(
        "UPDATE platform_withdrawals SET amount_cents = 1, state = 'refused', decided_by = 'x', decided_at = 1 WHERE id = ?",
        id,
      ),
    ).rejects.toThrow("immutable_platform_withdrawal");
    await expect(run("DELETE FROM platform_withdrawals WHERE id = ?", id)).rejects.toThrow(
      "immutable_platform_withdrawal",
    );
    await decide(id, "refused");
  });
});

describe("an invariant finds", () => {
  test.each([
    [
      "a withdrawal above the platform's own money",
      "UPDATE provider_moves SET own_cents = amount_cents - 1 WHERE to_provider = 'platform_cash'",
    ],
    [
      "a withdrawal approved by its requester",
      "UPDATE platform_withdrawals SET decided_by = asked_by WHERE state = 'approved'",
    ],
    [
      "an approved withdrawal without a posting",
      "UPDATE platform_withdrawals SET state = 'approved' WHERE state = 'refused'",
    ],
    [
      "cash without a recorded cause",
      "UPDATE ledger_transactions SET source_key = 'x:' || source_key WHERE kind = 'platform.took_out'",
    ],
  ])("%s", async (_, breach) => {
    await decide(await ask({ amountCents: 1 }));
    await decide(await ask({ amountCents: 1 }), "refused");
    expect(await invariantsBrokenBy(ctx, [breach])).toContain("platform_takes_own");
  });

  test("an entry with another amount than was recorded", async () => {
    await recordPlatformDeposit(ctx, form());
    expect(
      await invariantsBrokenBy(ctx, [
        "UPDATE provider_moves SET amount_cents = amount_cents + 1 WHERE from_provider = 'platform_cash'",
      ]),
    ).toContain("provider_moves_posted");
  });
});
