import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import {
  refreshPayout,
  cancelPayout,
  cancelPayoutByStaff,
  holdPayoutsOf,
  releasePayoutsOf,
  retryPayout,
} from "#app/domain/payouts/staff-review/commands/staff-review.server.ts";
import { changeSchedule } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import {
  PayoutsAlreadyHeld,
  HeldByStaff,
  PayoutsNotHeld,
  PayoutReleaseConflict,
  PayoutNotSentToProvider,
  PayoutNotFailed,
  PayoutNotFound,
  PayoutInProgress,
  TooManyPayoutCancels,
} from "#app/domain/payouts/errors.ts";
import { creatorBalances, payoutRow } from "#app/domain/payouts/queries.server.ts";
import {
  reviewedPayout,
  reviewPayouts,
} from "#app/domain/payouts/staff-review/queries/staff-review.server.ts";
import { retryAfterText } from "#app/domain/rate-limits/rules.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { floodCounts } from "#drizzle/schema/rate-limits.ts";
import { payoutActs, payoutHolds, withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const NET_CENTS = 1_890;
let world: World;
let ana: Seller;
let carla: TestPerson;

beforeEach(async () => {
  world = await testContext();
  carla = await createModerator(world.ctx);
  ana = await earner();
});
afterEach(() => expectInvariantsToHold(world.ctx));

/** A creator with one released sale (R$ 18,90 net), whose payout schedule is manual. */
async function earner(): Promise<Seller> {
  const one = await createSeller(world.ctx);
  await changeSchedule(world.ctx, { creatorId: one.id, schedule: "manual" });
  await paidSubscription(world, await createPerson(world.ctx, "Bruno"), one);
  await world.advance(9 * DAY_MS);
  await world.tick();
  return one;
}

async function aWhile(ms = 10 * MINUTE_MS): Promise<void> {
  await world.advance(ms);
  await world.tick();
}

const asked = async (): Promise<string> => {
  const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
  world.queued.splice(0);
  return payoutId;
};
/** The same context with another approval limit (centavos). */
const limited = (payoutApprovalCents: number) => ({
  ...world.ctx,
  settings: { ...world.ctx.settings, payoutApprovalCents },
});
const stateOf = async (payoutId: string) => {
  const row = await payoutRow(world.ctx, { payoutId });
  return `${row?.status} ${row?.heldReason ?? ""} ${row?.amountCents}`.replaceAll("  ", " ");
};
const availableOf = async () =>
  (await creatorBalances(world.ctx, { creatorId: ana.id })).availableCents;
const subjectsTo = async (one: TestPerson) =>
  (await world.ctx.db.select().from(localMails).where(eq(localMails.recipient, one.email)))
    .map(({ subject }) => subject)
    .filter((subject) => subject.includes("saque"));
const actsOn = async (payoutId: string) =>
  (await world.ctx.db.select().from(payoutActs).where(eq(payoutActs.payoutId, payoutId))).map(
    ({ act, moderatorId }) => `${act} ${moderatorId === carla.id}`,
  );

describe("a moderator and payouts", () => {
  test("holds all payouts of a creator with a reason that the creator reads, and releases them", async () => {
    const payoutId = await asked();
    await holdPayoutsOf(world.ctx, {
      payoutId,
      moderatorId: carla.id,
      reason: "Recebemos uma denúncia sobre a página.",
    });
    await expect(
      holdPayoutsOf(world.ctx, { payoutId, moderatorId: carla.id, reason: "De novo." }),
    ).rejects.toThrow(PayoutsAlreadyHeld);
    await world.drain();
    expect([await stateOf(payoutId), await availableOf()]).toEqual([
      "held moderation 0",
      NET_CENTS,
    ]);
    expect(
      (await world.ctx.db.select().from(localMails).where(eq(localMails.recipient, ana.email))).at(
        -1,
      )?.body,
    ).toContain("Recebemos uma denúncia sobre a página.");
    expect(await subjectsTo(ana)).toEqual(["Seus saques estão retidos"]);
    await cancelPayout(world.ctx, { payoutId, creatorId: ana.id });
    await expect(requestPayout(world.ctx, { creatorId: ana.id })).rejects.toThrow(HeldByStaff);
    await world.ctx.db.update(people).set({ isModerator: true }).where(eq(people.id, ana.id));
    await expect(releasePayoutsOf(world.ctx, { payoutId, moderatorId: ana.id })).rejects.toThrow(
      PayoutReleaseConflict,
    );
    await expect(
      world.ctx.db
        .update(payoutHolds)
        .set({ endedBy: ana.id, endedAt: 1 })
        .where(eq(payoutHolds.creatorId, ana.id)),
    ).rejects.toThrow("Failed query");
    await releasePayoutsOf(world.ctx, { payoutId, moderatorId: carla.id });
    await expect(releasePayoutsOf(world.ctx, { payoutId, moderatorId: carla.id })).rejects.toThrow(
      PayoutsNotHeld,
    );
    await requestPayout(world.ctx, { creatorId: ana.id });
    await world.drain();
    expect(await actsOn(payoutId)).toEqual(["hold true", "release true"]);
  });

  test("holds and releases a creator without payout requests, who gets one notification of each", async () => {
    const whose = { creatorId: ana.id, moderatorId: carla.id };
    const both = await Promise.allSettled(
      [1, 2].map((n) => holdPayoutsOf(world.ctx, { ...whose, reason: `Motivo ${n}` })),
    );
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await aWhile();
    expect(await subjectsTo(ana)).toEqual(["Seus saques estão retidos"]);
    const [email] = await world.ctx.db
      .select()
      .from(localMails)
      .where(
        and(
          eq(localMails.recipient, ana.email),
          eq(localMails.subject, "Seus saques estão retidos"),
        ),
      );
    expect(email?.body).toMatch(/Motivo [12]\. O dinheiro continua no seu saldo/);
    await releasePayoutsOf(world.ctx, whose);
    await aWhile();
    expect(await subjectsTo(ana)).toEqual([
      "Seus saques estão retidos",
      "Seus saques estão liberados",
    ]);
    await holdPayoutsOf(world.ctx, { ...whose, reason: "De novo." });
    await aWhile();
    expect(await subjectsTo(ana)).toHaveLength(3);
  });

  test("a hold placed between a claim's read and its commit stops the payout", async () => {
    const payoutId = await asked();
    const slow = await testContext({
      database: (binding) =>
        heldMeanwhile(binding, async () =>
          holdPayoutsOf(world.ctx, { payoutId, moderatorId: carla.id, reason: "Um momento." }),
        ),
    });
    await claimPayout(slow.ctx, { payoutId });
    expect([await stateOf(payoutId), await availableOf()]).toEqual([
      "held moderation 0",
      NET_CENTS,
    ]);
  });

  test("cancels a payout that was not sent, and cannot cancel one already claimed", async () => {
    const payoutId = await asked();
    await cancelPayoutByStaff(world.ctx, {
      payoutId,
      moderatorId: carla.id,
      reason: "Pedido em dobro.",
    });
    await world.drain();
    expect([await stateOf(payoutId), await availableOf()]).toEqual(["canceled 0", NET_CENTS]);
    expect(await subjectsTo(ana)).toContain("Seu saque foi cancelado");
    await claimPayout(world.ctx, { payoutId });
    expect(await stateOf(payoutId)).toBe("canceled 0");
    const next = await asked();
    await claimPayout(world.ctx, { payoutId: next });
    await expect(
      cancelPayoutByStaff(world.ctx, { payoutId: next, moderatorId: carla.id, reason: "Tarde." }),
    ).rejects.toThrow(PayoutInProgress);
    await expect(cancelPayout(world.ctx, { payoutId: next, creatorId: ana.id })).rejects.toThrow(
      PayoutInProgress,
    );
    await expect(cancelPayout(world.ctx, { payoutId: next, creatorId: carla.id })).rejects.toThrow(
      PayoutNotFound,
    );
    expect(await actsOn(next)).toEqual([]);
  });

  test("refuses a creator who requests and cancels payouts too often for a while", async () => {
    for (let round = 0; round < 5; round += 1)
      await cancelPayout(world.ctx, { payoutId: await asked(), creatorId: ana.id });
    const payoutId = await asked();
    await expect(cancelPayout(world.ctx, { payoutId, creatorId: ana.id })).rejects.toThrow(
      TooManyPayoutCancels,
    );
    // One hour later the daily limit still refuses, and the message says until when.
    const dayBegan = world.ctx.now() - HOUR_MS;
    await world.ctx.db
      .update(floodCounts)
      .set({ count: 15, windowStartedAt: dayBegan })
      .where(eq(floodCounts.key, `cancel-payout:${ana.id}:${DAY_MS}`));
    await world.advance(HOUR_MS);
    await expect(cancelPayout(world.ctx, { payoutId, creatorId: ana.id })).rejects.toMatchObject({
      constructor: TooManyPayoutCancels,
      message: expect.stringContaining(retryAfterText(dayBegan + DAY_MS)) as string,
    });
    expect(await stateOf(payoutId)).toBe("requested 0");
  });

  test("queries the provider about an unconfirmed payout, and retries a failed one", async () => {
    await world.ctx.db
      .update(withdrawalMethods)
      .set({ pixKeyKind: "email", pixKey: "falha@coreto.test" })
      .where(eq(withdrawalMethods.creatorId, ana.id));
    const payoutId = await asked();
    await expect(refreshPayout(world.ctx, { payoutId, moderatorId: carla.id })).rejects.toThrow(
      PayoutNotSentToProvider,
    );
    await claimPayout(world.ctx, { payoutId });
    await expect(retryPayout(world.ctx, { payoutId, moderatorId: carla.id })).rejects.toThrow(
      PayoutNotFailed,
    );
    await refreshPayout(world.ctx, { payoutId, moderatorId: carla.id });
    await aWhile();
    expect(await stateOf(payoutId)).toBe(`failed ${NET_CENTS}`);
    await world.ctx.db
      .update(withdrawalMethods)
      .set({ pixKey: "boa@exemplo.test" })
      .where(eq(withdrawalMethods.creatorId, ana.id));
    const again = await retryPayout(world.ctx, { payoutId, moderatorId: carla.id });
    await world.drain();
    await aWhile();
    expect(await stateOf(again.payoutId)).toBe(`paid ${NET_CENTS}`);
    expect([await actsOn(payoutId), await actsOn(again.payoutId)]).toEqual([
      ["ask true", "retry true"],
      ["retry true"],
    ]);
  });

  test("sees each payout in the right view, with the recorded staff acts", async () => {
    const payoutId = await asked();
    await claimPayout(limited(1), { payoutId });
    const inView = async (view: "approval" | "held" | "under_way" | "back" | "all") =>
      (await reviewPayouts(world.ctx, { view, cursor: null, limit: 50 })).items
        .filter(({ payout }) => payout.id === payoutId)
        .map(({ availableCents, username }) => [availableCents, username]);
    const row = [[NET_CENTS, ana.username]];
    expect([
      await inView("approval"),
      await inView("held"),
      await inView("under_way"),
      await inView("back"),
      await inView("all"),
    ]).toEqual([row, row, [], [], row]);
    await holdPayoutsOf(world.ctx, { payoutId, moderatorId: carla.id, reason: "Conferindo." });
    expect(await reviewedPayout(world.ctx, { payoutId })).toMatchObject({
      hold: { reason: "Conferindo." },
      acts: [{ act: "hold", note: "Conferindo.", moderatorName: carla.name }],
    });
    expect(await reviewedPayout(world.ctx, { payoutId: "none" })).toBeNull();
  });

  test("an ended hold cannot be reopened, and holds and staff acts cannot be deleted", async () => {
    const payoutId = await asked();
    await holdPayoutsOf(world.ctx, { payoutId, moderatorId: carla.id, reason: "Um." });
    await releasePayoutsOf(world.ctx, { payoutId, moderatorId: carla.id });
    await expect(
      world.ctx.db
        .update(payoutHolds)
        .set({ endedAt: null })
        .where(eq(payoutHolds.creatorId, ana.id)),
    ).rejects.toThrow("Failed query");
    await expect(
      world.ctx.db.delete(payoutHolds).where(eq(payoutHolds.creatorId, ana.id)),
    ).rejects.toThrow("Failed query");
    await expect(
      world.ctx.db.delete(payoutActs).where(eq(payoutActs.payoutId, payoutId)),
    ).rejects.toThrow("Failed query");
  });
});

/** A binding that runs `act` once, between the first read batch and the first commit. */
function heldMeanwhile(binding: D1Database, act: () => Promise<void>): D1Database {
  let isDone = false;
  return new Proxy(binding, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== "batch") return typeof value === "function" ? value.bind(target) : value;
      return async (statements: D1PreparedStatement[]) => {
        const answer = await target.batch(statements);
        if (!isDone && statements.length > 1) {
          isDone = true;
          await act();
        }
        return answer;
      };
    },
  });
}
