import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { chargeSucceeded, providerCost } from "#app/domain/ledger/rules.ts";
import type { Posting } from "#app/domain/ledger/schema.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { and, eq, sql } from "drizzle-orm";
import { plans } from "#drizzle/schema/plans.ts";
import { blocks } from "#drizzle/schema/profiles.ts";

let world: World;
let creatorId: string;
let chargeId: string;

beforeEach(async () => {
  world = await testContext();
  const ana = await createSeller(world.ctx);
  creatorId = ana.id;
  chargeId = (await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana)).id;
});
afterEach(() => expectInvariantsToHold(world.ctx));

describe("the batch guard", () => {
  /** Two people take the last item. The second read it before the first wrote. */
  async function thing() {
    const plan = await world.ctx.db
      .select({ id: plans.id, seats: plans.seatsTaken })
      .from(plans)
      .where(eq(plans.creatorId, creatorId));
    const [found] = plan;
    if (!found) throw new Error("no plan");
    const take = () =>
      world.ctx.db
        .update(plans)
        .set({ seatsTaken: sql`${plans.seatsTaken} + 1` })
        .where(and(eq(plans.id, found.id), eq(plans.seatsTaken, found.seats)));
    const given = (to: string) =>
      world.ctx.db.insert(blocks).values({ blockerId: found.id, blockedId: to, createdAt: 1 });
    const givenCount = async () =>
      (await world.ctx.db.select().from(blocks).where(eq(blocks.blockerId, found.id))).length;
    return { take, given, givenCount };
  }

  test("refuses the second write as stale and rolls back its batch", async () => {
    const { take, given, givenCount } = await thing();
    await commit(world.ctx.db, [mustChangeOne(take()), given("first")]);
    await expect(commit(world.ctx.db, [mustChangeOne(take()), given("second")])).rejects.toThrow(
      StaleWrite,
    );
    expect(await givenCount()).toBe(1);
  });

  test("without it, both writes take the same item", async () => {
    const { take, given, givenCount } = await thing();
    await world.ctx.db.batch([take(), given("first")]);
    await world.ctx.db.batch([take(), given("second")]);
    expect(await givenCount()).toBe(2);
  });

  test("distinguishes a unique violation from a stale write", async () => {
    const { given } = await thing();
    await commit(world.ctx.db, [given("first")]);
    await expect(commit(world.ctx.db, [given("first")])).rejects.toThrow(
      new UniqueViolation("blocks.blocker_id, blocks.blocked_id"),
    );
  });
});

describe("a posting with an existing source key", () => {
  const again = () =>
    chargeSucceeded({ chargeId, creatorId, provider: "sandbox", grossCents: 1_990, feeCents: 100 });
  const cost = () =>
    providerCost({ object: "charge", id: world.ctx.newId(), provider: "sandbox", costCents: 99 });
  const posted = async (...postings: Posting[]) =>
    await commit(
      world.ctx.db,
      postings.flatMap((posting) => postingStatements(world.ctx, posting)),
    );

  test("is refused as already posted, or as different when its content differs, and its batch is rolled back", async () => {
    await expect(posted(again())).rejects.toThrow(new RuleViolation("ledger_source_exists"));
    const { legs } = again();
    const others: Record<string, Partial<Posting>> = {
      "another amount": {
        legs: chargeSucceeded({
          chargeId,
          creatorId,
          provider: "sandbox",
          grossCents: 1_990,
          feeCents: 99,
        }).legs,
      },
      "another account": {
        legs: chargeSucceeded({
          chargeId,
          creatorId,
          provider: "asaas",
          grossCents: 1_990,
          feeCents: 100,
        }).legs,
      },
      "other sides": {
        legs: legs.map(({ account, debitCents }) => ({ account, debitCents: -debitCents })),
      },
      "a missing leg": { legs: legs.slice(1) },
      "another kind": { kind: "debt.paid" },
      "another charge": { chargeId: "another" },
      "no charge": { chargeId: null },
      "a payout": { payoutId: "another" },
    };
    for (const [name, other] of Object.entries(others)) {
      const otherCost = cost();
      await expect(
        retryOnConflict(async () => await posted(otherCost, { ...again(), ...other })),
        name,
      ).rejects.toThrow(new RuleViolation("ledger_key_reused"));
      expect(
        await testEnv.DB.prepare("SELECT 1 FROM ledger_transactions WHERE source_key = ?")
          .bind(otherCost.sourceKey)
          .first(),
        name,
      ).toBeNull();
    }
  });
});
