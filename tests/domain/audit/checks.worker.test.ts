import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkBooks, notifyStaleChecks } from "#app/domain/audit/commands.server.ts";
import type { Context } from "#app/domain/context.ts";
import { latestChecks } from "#app/domain/audit/queries/checks.server.ts";
import { invariantTitles } from "#app/domain/audit/queries/invariants.server.ts";
import { moneyInvariantNames } from "#app/domain/audit/rules.ts";
import { moderatorIds } from "#app/domain/moderation/queries.server.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import { creatorBalances, payoutRow } from "#app/domain/payouts/queries.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { withoutTriggers } from "#tests/support/without-triggers.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { sweepOutbox } from "#app/domain/notifications/commands/steps.server.ts";
import { runLedgerChecks } from "#workers/payouts/run.ts";

let world: World;
let ana: Seller;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  await world.ctx.db
    .update(withdrawalMethods)
    .set({ schedule: "manual" })
    .where(eq(withdrawalMethods.creatorId, ana.id));
  await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
  await world.advance(9 * DAY_MS);
  await world.tick();
});
afterEach(() => expectInvariantsToHold(world.ctx));

const run = (query: string, ...values: unknown[]) =>
  testEnv.DB.prepare(query)
    .bind(...values)
    .run();
/** An account balance that its entries do not explain. Only the removal of triggers allows it. */
const breakBooks = () =>
  withoutTriggers(
    "UPDATE ledger_accounts SET balance_cents = balance_cents - 1 WHERE id = ?",
    `creator_available:${ana.id}`,
  );
const mendBooks = () =>
  withoutTriggers(
    "UPDATE ledger_accounts SET balance_cents = balance_cents + 1 WHERE id = ?",
    `creator_available:${ana.id}`,
  );
const notificationsFor = async (personId: string) =>
  (await world.ctx.db.select().from(notifications).where(eq(notifications.personId, personId))).map(
    ({ body }) => body,
  );

test("saves the result and the time of every check", async () => {
  expect(await checkBooks(world.ctx, { moderatorIds: [] })).toEqual({
    brokenCount: 0,
    missedCount: 0,
  });
  const checks = await latestChecks(world.ctx);
  expect([...checks.keys()].toSorted()).toEqual(invariantTitles.map(({ name }) => name).toSorted());
  expect(
    [...checks.values()].every(
      ({ brokenCount, brokenSince }) => brokenCount === 0 && brokenSince === null,
    ),
  ).toBe(true);
});

test("deletes the results of an invariant that no longer exists, which then blocks nothing", async () => {
  await run(
    "INSERT INTO ledger_checks (name, checked_at, broken_count, example, broken_since, holds_payouts) VALUES ('of_before', 1, 3, '{}', 1, 1)",
  );
  await checkBooks(world.ctx, { moderatorIds: [] });
  expect((await latestChecks(world.ctx)).has("of_before")).toBe(false);
});

describe("while an invariant about money is broken", () => {
  test("no payout is claimed, and the next run after the repair pays", async () => {
    await breakBooks();
    await runLedgerChecks(world.ctx);
    const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
    await world.drain();
    expect((await payoutRow(world.ctx, { payoutId }))?.status).toBe("requested");
    expect((await creatorBalances(world.ctx, { creatorId: ana.id })).inTransitCents).toBe(0);
    await mendBooks();
    await runLedgerChecks(world.ctx);
    await world.advance(60_000);
    await world.tick();
    expect(["sent", "paid"]).toContain((await payoutRow(world.ctx, { payoutId }))?.status);
  });

  test("moderators are notified once, and again when it breaks again", async () => {
    const maria = await createModerator(world.ctx);
    const look = async () => {
      await checkBooks(world.ctx, { moderatorIds: await moderatorIds(world.ctx), isWhole: true });
      await world.drain();
    };
    await breakBooks();
    await look();
    await look();
    expect(await notificationsFor(maria.id)).toEqual([
      expect.stringMatching(
        /^2 regras do livro-razão quebraram, e os saques estão parados: Cada saldo é a soma das suas entradas; /,
      ),
    ]);
    await mendBooks();
    await look();
    await breakBooks();
    await look();
    expect(await notificationsFor(maria.id)).toHaveLength(2);
    await mendBooks();
    await look();
  });
});

test("new violations of a broken invariant are notified once a day, with their count", async () => {
  const maria = await createModerator(world.ctx);
  const late = (id: string) =>
    run(
      "INSERT INTO inbox (id, provider, provider_event_id, type, object_id, body, received_at) VALUES (?, 'sandbox', ?, 'other', 'x', '{}', 1)",
      id,
      id,
    );
  let later = 0;
  /** Runs the checks `ms` later by the wall clock, with no email pending. */
  const look = async (ms: number) => {
    later += ms;
    const ctx = { ...world.ctx, realNow: () => world.ctx.realNow() + later };
    const deliver = () => sweepOutbox({ ...ctx, realNow: () => ctx.realNow() + MINUTE_MS });
    await deliver();
    await checkBooks(ctx, { moderatorIds: [maria.id] });
    await deliver();
    // After the last day of a month, another invariant breaks too: the month is not sealed.
    return (await notificationsFor(maria.id)).filter((body) => body.includes(TITLE));
  };
  const TITLE = "Nenhum aviso de um provedor espera há mais de 15 minutos";
  await late("first");
  expect(await look(0)).toHaveLength(1);
  await late("second");
  expect(await look(HOUR_MS)).toHaveLength(1);
  expect((await look(DAY_MS)).slice(1)).toEqual([
    `Uma regra que já estava quebrada tem casos novos: ${TITLE} (2 casos).`,
  ]);
  expect(await look(2 * DAY_MS), "nothing new").toHaveLength(2);
  // A violation that recurs after its repair counts as new. One that stayed does not.
  await run("DELETE FROM inbox WHERE id = 'first'");
  await look(HOUR_MS);
  await late("first");
  expect(await look(HOUR_MS)).toHaveLength(3);
  for (let more = 0; more < 250; more += 1) await late(`more-${more}`);
  expect((await look(DAY_MS)).at(-1)).toContain("(252 casos)");
  expect((await latestChecks(world.ctx)).get("nothing_waits")?.brokenCount).toBe(252);
  await run("DELETE FROM inbox WHERE provider_event_id = id AND provider = 'sandbox'");
  await run("DELETE FROM ledger_checks");
});

test("an invariant about pending work notifies moderators and blocks no payout", async () => {
  const maria = await createModerator(world.ctx);
  await run(
    "INSERT INTO inbox (id, provider, provider_event_id, type, object_id, body, received_at) VALUES ('late', 'sandbox', 'late', 'other', 'x', '{}', 1)",
  );
  await checkBooks(world.ctx, { moderatorIds: [maria.id] });
  const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
  await world.drain();
  expect((await payoutRow(world.ctx, { payoutId }))?.status).not.toBe("requested");
  expect(await notificationsFor(maria.id)).toEqual([
    "Uma regra do livro-razão quebrou: Nenhum aviso de um provedor espera há mais de 15 minutos.",
  ]);
  await run("DELETE FROM inbox WHERE id = 'late'");
  await checkBooks(world.ctx, { moderatorIds: [] });
});

test("an email that cannot be delivered does not hide the notification about stopped payments", async () => {
  const maria = await createModerator(world.ctx);
  const look = async () => await checkBooks(world.ctx, { moderatorIds: [maria.id] });
  await run(
    "INSERT INTO outbox (id, type, payload, created_at) VALUES ('bounces', 'person.unbanned', '{}', 1)",
  );
  await run(
    "INSERT INTO setbacks (subject_id, failures, next_attempt_at) VALUES ('bounces', 3, 9999999999999)",
  );
  await look();
  await run(
    "INSERT INTO inbox (id, provider, provider_event_id, type, object_id, body, received_at) VALUES ('late', 'sandbox', 'late', 'other', 'x', '{}', 1)",
  );
  await look();
  await world.drain();
  expect(await notificationsFor(maria.id)).toEqual([
    expect.stringContaining("Nenhum aviso a alguém falha"),
    expect.stringContaining("Nenhum aviso de um provedor espera"),
  ]);
  await run("DELETE FROM inbox WHERE id = 'late'");
  await run("DELETE FROM outbox WHERE id = 'bounces'");
  await checkBooks(world.ctx, { moderatorIds: [] });
});

test("each payout-blocking invariant blocks a claim when broken; all others together do not", async () => {
  const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
  world.queued.splice(0);
  /** Runs the checks and finds `names` broken. */
  const found = async (names: readonly string[]) => {
    let asked = 0;
    const all = async () =>
      names.includes(invariantTitles[asked++]?.name ?? "") ? [{ id: "it" }] : [];
    expect(
      await checkBooks(
        { ...world.ctx, db: Object.assign(Object.create(world.ctx.db), { all }) },
        { moderatorIds: [], isWhole: true },
      ),
    ).toEqual({ brokenCount: names.length, missedCount: 0 });
    expect(
      [...(await latestChecks(world.ctx)).values()]
        .filter(({ brokenCount }) => brokenCount > 0)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(names.toSorted());
    await claimPayout(world.ctx, { payoutId });
    return (await payoutRow(world.ctx, { payoutId }))?.status;
  };
  const names = invariantTitles.map(({ name }) => name);
  expect(moneyInvariantNames.filter((name) => !names.includes(name))).toEqual([]);
  for (const name of moneyInvariantNames) expect(await found([name]), name).toBe("requested");
  expect(await found(names.filter((name) => !moneyInvariantNames.includes(name)))).toBe("claimed");
  await checkBooks(world.ctx, { moderatorIds: [], isWhole: true });
});

describe("when no check ran for six hours", () => {
  /** By the wall clock. */
  const later = (ms: number): Context => ({
    ...world.ctx,
    realNow: () => world.ctx.realNow() + ms,
  });
  const statusAfterClaim = async (ctx: Context, payoutId: string) => {
    await claimPayout(ctx, { payoutId });
    return (await payoutRow(ctx, { payoutId }))?.status;
  };

  test("no payout is claimed, staff are notified once, and the next run releases it", async () => {
    const maria = await createModerator(world.ctx);
    const notificationsSent = async (ctx: Context) => {
      await notifyStaleChecks(ctx, { moderatorIds: () => moderatorIds(ctx) });
      await sweepOutbox({ ...ctx, realNow: () => ctx.realNow() + MINUTE_MS });
      return await notificationsFor(maria.id);
    };
    await checkBooks(world.ctx, { moderatorIds: [] });
    const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
    world.queued.splice(0);
    expect(await notificationsSent(later(6 * HOUR_MS - MINUTE_MS))).toEqual([]);
    const stale = later(6 * HOUR_MS + MINUTE_MS);
    expect(await statusAfterClaim(stale, payoutId)).toBe("requested");
    expect(await notificationsSent(stale)).toEqual([
      "Uma regra do livro-razão quebrou, e os saques estão parados: Cada regra de dinheiro foi conferida nas últimas seis horas.",
    ]);
    expect(await notificationsSent(stale)).toHaveLength(1);
    await checkBooks(stale, { moderatorIds: [] });
    expect(await statusAfterClaim(stale, payoutId)).toBe("claimed");
    await run("DELETE FROM ledger_checks");
  });

  test("one check that cannot run blocks payouts, but one that only runs at night does not", async () => {
    await checkBooks(world.ctx, { moderatorIds: [] });
    const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
    world.queued.splice(0);
    const old = world.ctx.realNow() - 7 * HOUR_MS;
    await run("UPDATE ledger_checks SET checked_at = ? WHERE name = 'charges_posted'", old);
    expect(await statusAfterClaim(world.ctx, payoutId)).toBe("requested");
    await checkBooks(world.ctx, { moderatorIds: [] });
    await run("UPDATE ledger_checks SET checked_at = ? WHERE name = 'books_balance'", old);
    expect(await statusAfterClaim(world.ctx, payoutId)).toBe("claimed");
    await run("DELETE FROM ledger_checks");
  });
});

test("a run that fails keeps the earlier results and does not throw", async () => {
  await breakBooks();
  await runLedgerChecks(world.ctx);
  const failing = {
    ...world.ctx,
    db: {
      ...world.ctx.db,
      all: async () => Promise.reject(new Error("D1 is down")),
    } as unknown as typeof world.ctx.db,
  };
  await runLedgerChecks(failing);
  expect(world.logged.map(({ event }) => event)).toContain("ledger.check_failed");
  expect((await latestChecks(world.ctx)).get("balances_cached")?.brokenCount).toBe(1);
  await mendBooks();
  await runLedgerChecks(world.ctx);
});
