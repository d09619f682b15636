import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { refundStatement } from "#app/domain/payments/commands/refunds.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/queries.server.ts";
import { payAhead } from "#app/domain/subscriptions/commands/ahead.server.ts";
import { inbox, refunds } from "#drizzle/schema/payments.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectBooksToHold } from "#tests/support/books.ts";
import { telling } from "#tests/support/chaos/telling.ts";
import type { About, Telling } from "#tests/support/chaos/telling.ts";
import { meanwhile } from "#tests/support/meanwhile.ts";
import { pixCheckout } from "#tests/support/money.ts";
import { person, seller } from "#tests/support/people.ts";
import { applyEvent } from "#workers/fees/apply-event.ts";

let on: Telling;
/** What pays for the month that runs, and what pays for those after it. */
let first: Charge;
let ahead: Charge;
beforeEach(async () => {
  on = await telling();
  const { world } = on;
  const [ana, bruno] = [await seller(world.ctx), await person(world.ctx, "Bruno")];
  first = await on.sold(await pixCheckout(world, bruno, ana));
  const { chargeId } = await payAhead(world.ctx, { fanId: bruno.id, subscriptionId: first.purchaseId, periods: 3 });
  ahead = await on.sold({ chargeId, providerChargeId: (await chargeRow(world.ctx, { chargeId }))?.providerChargeId ?? "" });
});
afterEach(() => expectBooksToHold(on.world.ctx));

/** The event is applied, and `happens` after all that it read, and after its provider answered: right before it is written. */
async function applyWhile(about: About, objectId: string, happens: () => Promise<unknown>): Promise<void> {
  const inboxId = await on.received(about, objectId);
  let isDone = false;
  const slow = meanwhile(on.world.ctx, async () => { await happens(); isDone = true; }, /update "inbox"/i);
  await applyEvent(slow, { inboxId, about });
  const [row] = await on.world.ctx.db.select().from(inbox).where(eq(inbox.id, inboxId));
  expect({ isDone, handledAt: row?.handledAt }).toEqual({ isDone: true, handledAt: expect.any(Number) });
}

const statusOf = async () => (await on.world.ctx.db.select().from(subscriptions).where(eq(subscriptions.id, first.purchaseId)))[0]?.status;
/** How much of a charge somebody decided to give back, by refund. */
const givenBack = async ({ id }: Charge) => (await on.world.ctx.db.select().from(refunds).where(eq(refunds.chargeId, id))).map(({ amountCents }) => amountCents);

test("a refund ends nothing once the bank fights over another payment, and that payment waits for its decision", async () => {
  const refundId = await on.refunded(first);
  await applyWhile("refund", refundId, async () => await on.tell("dispute", on.fought(ahead)));
  expect(await statusOf()).toBe("active");
  expect(await givenBack(ahead)).toEqual([]);
});

test("a refund ends the subscription once the bank gave up the other payment, whose days go back", async () => {
  const disputeId = on.fought(ahead);
  await on.tell("dispute", disputeId);
  const refundId = await on.refunded(first);
  await applyWhile("refund", refundId, async () => await on.tell("dispute", on.decided(disputeId, "won")));
  expect(await statusOf()).toBe("expired");
  expect(await givenBack(ahead)).toEqual([ahead.amountCents]);
});

test("a lost dispute gives nothing back twice of what somebody gives back meanwhile", async () => {
  const disputeId = on.fought(first);
  await on.tell("dispute", disputeId);
  const halfCents = Math.floor(ahead.amountCents / 2);
  const decide = async () => await commit(on.world.ctx.db, [refundStatement(on.world.ctx, ahead, { id: on.world.ctx.newId(), amountCents: halfCents, reason: "" })]);
  await applyWhile("dispute", on.decided(disputeId, "lost"), decide);
  expect(await statusOf()).toBe("expired");
  expect(await givenBack(ahead)).toEqual([halfCents, ahead.amountCents - halfCents]);
});

test("a lost dispute leaves to the bank what it begins to fight over meanwhile", async () => {
  const disputeId = on.fought(first);
  await on.tell("dispute", disputeId);
  await applyWhile("dispute", on.decided(disputeId, "lost"), async () => await on.tell("dispute", on.fought(ahead)));
  expect(await statusOf()).toBe("expired");
  expect(await givenBack(ahead)).toEqual([]);
});

test("a dispute that is won gives the days back that nobody can use, also when the subscription ended only now", async () => {
  const [overFirst, overAhead] = [on.fought(first), on.fought(ahead)];
  await on.tell("dispute", overFirst);
  await on.tell("dispute", overAhead);
  await applyWhile("dispute", on.decided(overAhead, "won"), async () => await on.tell("dispute", on.decided(overFirst, "lost")));
  expect(await statusOf()).toBe("expired");
  expect(await givenBack(ahead)).toEqual([ahead.amountCents]);
});
