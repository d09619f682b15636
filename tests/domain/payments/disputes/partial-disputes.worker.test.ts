import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { changeSchedule } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { inbox } from "#drizzle/schema/payments.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { decideDisputeAtProvider, openDisputeOn } from "#tests/support/disputes.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

/** The disputed part (centavos): R$ 5,00 of R$ 19,90, with R$ 0,25 of its fee of R$ 1,00. */
const PART_CENTS = 500;

let world: World;
let ana: Seller;
let charge: Charge;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  await changeSchedule(world.ctx, { creatorId: ana.id, schedule: "manual" });
  charge = await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
});
afterEach(() => expectInvariantsToHold(world.ctx));

const chargeNow = () => chargeRow(world.ctx, { chargeId: charge.id });
const accessNow = async () =>
  (
    await world.ctx.db
      .select({ status: subscriptions.status })
      .from(subscriptions)
      .where(eq(subscriptions.id, charge.purchaseId))
  )[0]?.status;
const refund = (amountCents: number) =>
  refundCharge(world.ctx, {
    sellerId: ana.id,
    decidedBy: ana.id,
    chargeId: charge.id,
    amountCents,
    reason: "",
    refundId: world.ctx.newId(),
  });

async function money() {
  const { pendingCents, availableCents, reservedCents, owedCents } = await creatorBalances(
    world.ctx,
    {
      creatorId: ana.id,
    },
  );
  return { pendingCents, availableCents, reservedCents, owedCents };
}
const books = (
  pendingCents: number,
  availableCents: number,
  reservedCents: number,
  owedCents: number,
) => ({ pendingCents, availableCents, reservedCents, owedCents });

async function released() {
  await world.advance(9 * DAY_MS);
  await world.tick();
}

async function paidOut() {
  await released();
  await requestPayout(world.ctx, { creatorId: ana.id });
  await world.drain();
  await world.advance(DAY_MS);
  await world.tick();
}

const nothing = () => Promise.resolve();
const BEFORE: {
  when: string;
  lived(): Promise<void>;
  opened: ReturnType<typeof books>;
  won: ReturnType<typeof books>;
  lost: ReturnType<typeof books>;
}[] = [
  {
    when: "before it is released",
    lived: nothing,
    opened: books(1_415, 0, 475, 0),
    won: books(1_890, 0, 0, 0),
    lost: books(1_415, 0, 0, 0),
  },
  {
    when: "after it was released",
    lived: released,
    opened: books(0, 1_415, 475, 0),
    won: books(0, 1_890, 0, 0),
    lost: books(0, 1_415, 0, 0),
  },
  {
    when: "after it was paid out",
    lived: paidOut,
    opened: books(0, 0, 475, 475),
    won: books(0, 0, 0, 0),
    lost: books(0, 0, 0, 475),
  },
];

describe("a dispute of a part of a payment reserves that part only", () => {
  test.each(
    BEFORE.flatMap((row) => [
      { ...row, decision: "win" as const, end: row.won },
      { ...row, decision: "lose" as const, end: row.lost },
    ]),
  )("$when, $decision", async ({ lived, opened, decision, end }) => {
    await lived();
    const { providerDisputeId } = await openDisputeOn(world, charge, PART_CENTS);
    expect(await chargeNow()).toMatchObject({
      status: "disputed",
      disputedCents: PART_CENTS,
      disputedFeeCents: 25,
    });
    expect(await money()).toEqual(opened);

    await decideDisputeAtProvider(world, providerDisputeId, decision);
    const isLost = decision === "lose";
    expect(await chargeNow()).toMatchObject(
      isLost
        ? { status: "partially_refunded", disputedCents: PART_CENTS, refundedCents: 0 }
        : { status: "dispute_won", disputedCents: 0, disputedFeeCents: 0 },
    );
    expect(await money()).toEqual(end);
    expect(await accessNow()).toBe("active");
    expect(await world.ctx.db.$count(inbox, eq(inbox.quarantineReason, "amount_differs"))).toBe(0);
  });
});

test("the undisputed rest is released on its day, and a won dispute releases the part at once", async () => {
  const { providerDisputeId } = await openDisputeOn(world, charge, PART_CENTS);
  await released();
  expect(await money()).toEqual(books(0, 1_415, 475, 0));
  await decideDisputeAtProvider(world, providerDisputeId, "win");
  expect(await money()).toEqual(books(0, 1_890, 0, 0));
});

test("after a lost dispute only the rest is refundable, and refunding it ends the access", async () => {
  await refund(400);
  const { providerDisputeId } = await openDisputeOn(world, charge, PART_CENTS);
  await expect(refund(100)).rejects.toThrow("em contestação no banco");
  await decideDisputeAtProvider(world, providerDisputeId, "lose");
  expect(await money()).toEqual(books(1_890 - 380 - 475, 0, 0, 0));
  await expect(refund(1_091)).rejects.toThrow("É mais do que resta");
  await refund(1_090);
  expect(await chargeNow()).toMatchObject({
    status: "refunded",
    refundedCents: 1_490,
    disputedCents: PART_CENTS,
    refundedFeeCents: 75,
    disputedFeeCents: 25,
    pendingCents: 0,
  });
  expect(await money()).toEqual(books(0, 0, 0, 0));
  expect(await accessNow()).toBe("expired");
});

describe("a second dispute, of the rest", () => {
  test("lost after the first was lost leaves nothing and ends the access", async () => {
    await decideDisputeAtProvider(
      world,
      (await openDisputeOn(world, charge, PART_CENTS)).providerDisputeId,
      "lose",
    );
    const second = await openDisputeOn(world, charge);
    expect(await money()).toEqual(books(0, 0, 1_415, 0));
    await decideDisputeAtProvider(world, second.providerDisputeId, "lose");
    expect(await chargeNow()).toMatchObject({
      status: "dispute_lost",
      disputedCents: 1_990,
      disputedFeeCents: 100,
    });
    expect([await money(), await accessNow()]).toEqual([books(0, 0, 0, 0), "expired"]);
  });

  test.each([
    ["lose", "lose", "dispute_lost", books(0, 0, 0, 0), "expired"],
    ["lose", "win", "partially_refunded", books(0, 1_415, 0, 0), "active"],
    ["win", "lose", "partially_refunded", books(0, 475, 0, 0), "active"],
    ["win", "win", "dispute_won", books(0, 1_890, 0, 0), "active"],
  ] as const)("while the first is open: %s, then %s", async (first, then, status, end, access) => {
    const part = await openDisputeOn(world, charge, PART_CENTS);
    const rest = await openDisputeOn(world, charge);
    expect(await money()).toEqual(books(0, 0, 1_890, 0));
    await decideDisputeAtProvider(world, part.providerDisputeId, first);
    expect(await chargeNow()).toMatchObject({ status: "disputed" });
    expect(await accessNow()).toBe("active");
    await decideDisputeAtProvider(world, rest.providerDisputeId, then);
    expect([(await chargeNow())?.status, await money(), await accessNow()]).toEqual([
      status,
      end,
      access,
    ]);
  });
});
