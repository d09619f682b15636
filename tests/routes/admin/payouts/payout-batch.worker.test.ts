import { and, eq, inArray } from "drizzle-orm";
import type { MiddlewareFunction } from "react-router";
import { beforeAll, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import { DocumentModeratorRequired } from "#app/domain/documents/errors.ts";
import {
  cancelBatch,
  retryBatch,
} from "#app/domain/payouts/batches/commands/batch-actions.server.ts";
import { requestScheduledPayouts } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { batchOfDay } from "#app/domain/payouts/batches/queries/batches.server.ts";
import { schedulesDueOn } from "#app/domain/payouts/batches/rules/schedules.ts";
import { DAY_MS, isoDay } from "#app/domain/time.ts";
import { requireModerator } from "#app/http/require-member.ts";
import * as batch from "#app/routes/admin/payouts/payout-batch.tsx";
import * as batches from "#app/routes/admin/payouts/payout-batches.tsx";
import * as desk from "#app/routes/admin/payouts/payout.tsx";
import { payoutActs, payouts, withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import {
  generatedCreatorId,
  generatedCreatorStatements,
  saleStatements,
} from "#tests/support/many-creators.ts";
import { followFiguresAs } from "#tests/support/money-figures.ts";
import { createModerator, createPerson } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const EARNERS = 40;
const staffOnly = [requireModerator as MiddlewareFunction];
const pages = callRoutesAs([
  { path: "admin/payouts/batches/:day", module: batch, middleware: staffOnly },
]);

let world: World;
let ctx: Context;
let carla: TestPerson;
let day: string;
/** Payout ids of the batch, indexed by the number of their creator. */
let ids: string[];
const staff = () => ({ person: carla, isModerator: true });
const at = () => `/admin/payouts/batches/${day}`;
const json = async (asked: Promise<Response>) =>
  (await asked).json() as Promise<Record<string, unknown>>;
const acts = async (payoutId: string) =>
  (
    await ctx.db
      .select({ act: payoutActs.act, note: payoutActs.note })
      .from(payoutActs)
      .where(eq(payoutActs.payoutId, payoutId))
  ).map(({ act, note }) => (note ? `${act}: ${note}` : act));
const ofEarner = async (n: number) =>
  await ctx.db
    .select()
    .from(payouts)
    .where(eq(payouts.creatorId, generatedCreatorId(n)));
const statusOf = async (n: number) =>
  (
    await ctx.db
      .select({ status: payouts.status })
      .from(payouts)
      .where(eq(payouts.id, ids[n] ?? ""))
  )[0]?.status;

/** Returns the last payout by id among those that did not fail. */
const lastOpen = (): string => ids.slice(9).toSorted().at(-1) ?? "";

/**
 * Fails payouts directly in their rows. They were never claimed, so the ledger has no entry of
 * them.
 */
async function failed(...numbers: number[]): Promise<void> {
  const own = inArray(
    payouts.id,
    numbers.map((n) => ids[n] ?? ""),
  );
  await ctx.db.update(payouts).set({ status: "claimed" }).where(own);
  await ctx.db
    .update(payouts)
    .set({ status: "failed", failureCode: "invalid_key", settledAt: ctx.now() })
    .where(own);
}

beforeAll(async () => {
  world = await testContext();
  carla = await createModerator(world.ctx);
  // Uses a past Monday, because the routes have a clock of their own.
  let now = world.ctx.now() - DAY_MS;
  while (!schedulesDueOn(now).includes("weekly")) now -= DAY_MS;
  ctx = world.ctx;
  day = isoDay(now);
  const who = { from: 0, to: EARNERS };
  for (const statement of [
    ...generatedCreatorStatements(who, { now: now - DAY_MS }),
    ...saleStatements({ ...who, round: 1, now: now - DAY_MS, provider: "sandbox" }),
  ])
    await testEnv.DB.prepare(statement).run();
  await requestScheduledPayouts({ ...ctx, now: () => now });
  world.queued.splice(0);
  const rows = await ctx.db.select({ id: payouts.id, creatorId: payouts.creatorId }).from(payouts);
  ids = Array.from(
    { length: EARNERS },
    (_, n) => rows.find(({ creatorId }) => creatorId === generatedCreatorId(n))?.id ?? "",
  );
  await ctx.db
    .update(payouts)
    .set({ status: "held", heldReason: "approval" })
    .where(inArray(payouts.id, ids.slice(0, 2)));
  await ctx.db
    .update(payouts)
    .set({ status: "held", heldReason: "documents" })
    .where(eq(payouts.id, ids[2] ?? ""));
});

describe("payout batch", () => {
  test("is visible to staff only, and answers 404 on a day without one", async () => {
    expect(await responseOutcome(pages.get({ person: await createPerson(ctx) }, at()))).toBe("404");
    expect(
      await responseOutcome(
        pages.post({ person: await createPerson(ctx) }, at(), { act: "retry" }),
      ),
    ).toBe("404");
    expect(await responseOutcome(pages.get(staff(), "/admin/payouts/batches/2020-01-06"))).toBe(
      "404",
    );
    expect(
      await responseOutcome(
        pages.post(staff(), "/admin/payouts/batches/2020-01-06", { act: "retry" }),
      ),
    ).toBe("404");
    await expect(retryBatch(ctx, { day, moderatorId: generatedCreatorId(0) })).rejects.toThrow(
      DocumentModeratorRequired,
    );
  });

  test("shows payouts to review first, held ones by reason, and each status page by page", async () => {
    expect(await json(pages.get(staff(), at()))).toMatchObject({
      parts: expect.arrayContaining([
        expect.objectContaining({ status: "held", heldReason: "approval", count: 2, openCount: 2 }),
        expect.objectContaining({ status: "requested", count: EARNERS - 3 }),
      ]),
      shown: { status: "held", heldReason: null },
      toDo: { retryCount: 0, cancelCount: EARNERS },
    });
    const waiting = (await json(pages.get(staff(), `${at()}?state=held&why=approval`))) as {
      items: { id: string; heldLabel: string }[];
    };
    expect(waiting.items.map(({ id, heldLabel }) => [id, heldLabel])).toEqual(
      ids
        .slice(0, 2)
        .toSorted()
        .map((id) => [id, "Espera aprovação"]),
    );
    const first = (await json(pages.get(staff(), `${at()}?state=requested`))) as {
      items: { id: string }[];
      next: string;
    };
    const second = (await json(
      pages.get(staff(), `${at()}?state=requested&after=${first.next}`),
    )) as { items: { id: string }[]; next: null };
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(EARNERS - 3);
    expect([first.items.length, second.next]).toEqual([30, null]);
  });

  test("retries each failed payout once, also for parallel requests, and records the moderator", async () => {
    await failed(3, 4, 5);
    await ctx.db
      .update(withdrawalMethods)
      .set({ holdUntil: ctx.now() + DAY_MS })
      .where(eq(withdrawalMethods.creatorId, generatedCreatorId(5)));
    const both = await Promise.all([
      pages.post(staff(), at(), { act: "retry" }),
      pages.post(staff(), at(), { act: "retry" }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([302, 302]);
    for (const n of [3, 4]) {
      const made = (await ofEarner(n)).filter(({ id }) => id !== ids[n]);
      expect([
        n,
        made.length,
        made[0]?.batchId,
        await acts(ids[n] ?? ""),
        await acts(made[0]?.id ?? ""),
      ]).toEqual([n, 1, null, ["retry"], ["retry"]]);
    }
    expect([await ofEarner(5), await acts(ids[5] ?? "")]).toMatchObject([
      [{ status: "failed" }],
      [],
    ]);
    expect(await json(pages.get(staff(), at()))).toMatchObject({ toDo: { retryCount: 1 } });
    const failedOnes = (await json(pages.get(staff(), `${at()}?state=failed`))) as {
      items: { id: string; againId: string | null }[];
    };
    expect(failedOnes.items.find(({ id }) => id === ids[5])?.againId).toBeNull();
    expect(failedOnes.items.find(({ id }) => id === ids[3])?.againId).toEqual(expect.any(String));
    // The retry of payout 3 is canceled. The failed payout must not be retried a second time.
    await ctx.db
      .update(payouts)
      .set({ status: "canceled", failureCode: "canceled_by_creator" })
      .where(and(eq(payouts.creatorId, generatedCreatorId(3)), eq(payouts.status, "requested")));
    expect(await retryBatch(ctx, { day, moderatorId: carla.id })).toEqual({
      doneCount: 0,
      leftCount: 1,
      next: null,
    });
    await ctx.db
      .update(withdrawalMethods)
      .set({ holdUntil: null })
      .where(eq(withdrawalMethods.creatorId, generatedCreatorId(5)));
    expect(await retryBatch(ctx, { day, moderatorId: carla.id })).toEqual({
      doneCount: 1,
      leftCount: 0,
      next: null,
    });
    expect(await retryBatch(ctx, { day, moderatorId: carla.id })).toEqual({
      doneCount: 0,
      leftCount: 0,
      next: null,
    });
  });

  test("continues after the last page of retries, past a payout that cannot be retried", async () => {
    await failed(6, 7, 8);
    const [first, second, third] = [6, 7, 8].map((n) => ids[n] ?? "").toSorted();
    const blocked = 6 + [6, 7, 8].findIndex((n) => ids[n] === first);
    await ctx.db
      .update(withdrawalMethods)
      .set({ holdUntil: ctx.now() + DAY_MS })
      .where(eq(withdrawalMethods.creatorId, generatedCreatorId(blocked)));
    expect(await retryBatch(ctx, { day, moderatorId: carla.id, limit: 2 })).toEqual({
      doneCount: 1,
      leftCount: 1,
      next: second,
    });
    expect(await retryBatch(ctx, { day, moderatorId: carla.id, limit: 2, after: second })).toEqual({
      doneCount: 1,
      leftCount: 0,
      next: null,
    });
    expect(await acts(third ?? "")).toEqual(["retry"]);
  });

  test("requires a reason before it cancels", async () => {
    const none = await pages.post(staff(), at(), { act: "cancel", reason: " " });
    expect([none.status, await none.json()]).toMatchObject([
      400,
      { errors: { reason: "Escreva o motivo" }, values: { act: "cancel" } },
    ]);
    expect(await statusOf(9)).toBe("requested");
  });

  test("cancels unsent payouts with a record and a notification each, and leaves one claimed meanwhile", async () => {
    const letters: string[] = [];
    const last = ids.indexOf(lastOpen());
    const moving: Context = {
      ...ctx,
      queues: {
        ...ctx.queues,
        notifications: {
          ...ctx.queues.notifications,
          // Claims another payout right after the first one is canceled.
          send: async ({ id }) => {
            if (letters.length === 0)
              await ctx.db
                .update(payouts)
                .set({ status: "claimed" })
                .where(eq(payouts.id, ids[last] ?? ""));
            letters.push(id);
          },
        },
      },
    };
    const outcomeOfAll = await cancelBatch(moving, {
      day,
      moderatorId: carla.id,
      reason: "Lote aberto por engano.",
    });
    expect(outcomeOfAll).toMatchObject({ leftCount: 1, next: null });
    expect(letters).toHaveLength(outcomeOfAll.doneCount);
    for (const n of [0, 2, 10, 11].filter((one) => one !== last))
      expect([n, await statusOf(n), await acts(ids[n] ?? "")]).toEqual([
        n,
        "canceled",
        ["cancel: Lote aberto por engano."],
      ]);
    expect([await statusOf(last), await acts(ids[last] ?? "")]).toEqual(["claimed", []]);
    const again = await pages.post(staff(), at(), { act: "cancel", reason: "De novo." });
    expect(again.status).toBe(302);
    for (const n of [0, 2].filter((one) => one !== last))
      expect(await acts(ids[n] ?? "")).toHaveLength(1);
  });
});

test("amounts of the batches and of each status link to the payouts that add up to them", async () => {
  const paid = lastOpen();
  await ctx.db.update(payouts).set({ amountCents: 4_321 }).where(eq(payouts.id, paid));
  const member: Member = {
    ...carla,
    avatarUrl: null,
    isCreator: false,
    isModerator: true,
    leavingAt: null,
  };
  const figures = followFiguresAs(
    () => ctx,
    () => member,
    [
      { path: "admin/payouts/batches", module: batches },
      { path: "admin/payouts/batches/:day", module: batch },
      // This payout was claimed by hand, so the ledger has no entry of it.
      { path: "admin/payouts/:id", module: desk, plain: [/^Valor/, /^R\$/] },
    ],
  );
  expect(await figures.wrong(["/admin/payouts/batches", at(), `${at()}?state=claimed`])).toEqual(
    [],
  );
  expect((await figures.shown(`${at()}?state=claimed`)).totals).toEqual([4_321]);
  await ctx.db.update(payouts).set({ status: "failed", settledAt: 1 }).where(eq(payouts.id, paid));
});

test("a batch without payouts shows an empty page", async () => {
  await testEnv.DB.prepare(
    "INSERT INTO payout_batches (id, day, started_at, finished_at) VALUES ('of-nobody', '2026-01-05', 1, 2)",
  ).run();
  expect(await batchOfDay(ctx, { day: "2026-01-05" })).toMatchObject({ id: "of-nobody" });
  expect(await json(pages.get(staff(), "/admin/payouts/batches/2026-01-05"))).toMatchObject({
    parts: [],
    shown: null,
    items: [],
  });
});
