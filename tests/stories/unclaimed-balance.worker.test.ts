import type { MiddlewareFunction } from "react-router";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Member } from "#app/domain/identity/schema.ts";
import { requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { platformMoneyOverview } from "#app/domain/ledger/platform-money/queries/platform-money.server.ts";
import { unclaimedBalances } from "#app/domain/ledger/statements/queries/unclaimed.server.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { settlePayout } from "#app/domain/payouts/sending/commands/settle.server.ts";
import { Refusal } from "#app/domain/errors.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { requireModerator } from "#app/http/require-member.ts";
import * as account from "#app/routes/admin/ledger/ledger-account.tsx";
import * as posting from "#app/routes/admin/ledger/ledger-posting.tsx";
import * as unclaimed from "#app/routes/admin/ledger/ledger-unclaimed.tsx";
import { payouts } from "#drizzle/schema/payouts.ts";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { expectErased, settleDeletion } from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { followFiguresAs } from "#tests/support/money-figures.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

/** Creates a deleted account whose last payout was paid. */
async function goneWithPayout(
  world: World,
): Promise<{ ana: Seller; payoutId: string; amountCents: number; transferId: string }> {
  const ana = await createSeller(world.ctx);
  await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
  await world.advance(9 * DAY_MS);
  await settleDeletion(world, 1);
  await requestDeletion(world.ctx, { personId: ana.id });
  await world.advance(31 * DAY_MS);
  await settleDeletion(world, 6);
  await expectErased(world.ctx, ana.id, ana.username);
  const [paid] = await world.ctx.db.select().from(payouts).where(eq(payouts.creatorId, ana.id));
  if (paid?.status !== "paid" || !paid.providerTransferId)
    throw new Error("the last payout was not paid");
  return {
    ana,
    payoutId: paid.id,
    amountCents: paid.amountCents,
    transferId: paid.providerTransferId,
  };
}

test("a payout returned after the deletion becomes an unclaimed balance that staff can see and nothing can pay out", async () => {
  const world = await testContext();
  const carla = await createModerator(world.ctx);
  const { ana, payoutId, amountCents, transferId } = await goneWithPayout(world);
  const listed = async () =>
    (await unclaimedBalances(world.ctx, { cursor: null, limit: 100 })).items.filter(
      ({ creatorId }) => creatorId === ana.id,
    );
  const before = await unclaimedBalances(world.ctx, { cursor: null, limit: 100 });
  expect(await listed()).toEqual([]);
  const { ownCents } = await platformMoneyOverview(world.ctx);

  await world.advance(20 * DAY_MS);
  const returnedAt = world.ctx.now();
  await settlePayout(world.ctx, {
    payoutId,
    providerTransfer: {
      id: transferId,
      reference: payoutId,
      status: "returned",
      amountCents,
      failureCode: "account_closed",
    },
  });
  expect(await listed()).toMatchObject([
    { accountId: `creator_available:${ana.id}`, username: ana.username, cents: amountCents },
  ]);
  expect((await listed())[0]?.since).toBeGreaterThan(returnedAt);
  expect((await unclaimedBalances(world.ctx, { cursor: null, limit: 1 })).sumCents).toBe(
    before.sumCents + amountCents,
  );
  expect((await platformMoneyOverview(world.ctx)).ownCents).toBe(ownCents);
  await expect(requestPayout(world.ctx, { creatorId: ana.id })).rejects.toBeInstanceOf(Refusal);
  await expectInvariantsToHold(world.ctx);

  const staff: Member = {
    ...carla,
    avatarUrl: null,
    isCreator: false,
    isModerator: true,
    leavingAt: null,
  };
  const figures = followFiguresAs(
    () => world.ctx,
    () => staff,
    [
      { path: "admin/ledger/unclaimed", module: unclaimed },
      { path: "admin/ledger/accounts/:accountId", module: account },
      { path: "admin/ledger/postings/:named", module: posting },
    ],
  );
  expect(await figures.wrong(["/admin/ledger/unclaimed"])).toEqual([]);
  expect((await figures.shown("/admin/ledger/unclaimed")).figures).toContainEqual(
    expect.objectContaining({
      cents: amountCents,
      href: `/admin/ledger/accounts/creator_available:${ana.id}`,
    }),
  );
  const routes = callRoutesAs([
    {
      path: "admin/ledger/unclaimed",
      module: unclaimed,
      middleware: [requireModerator as MiddlewareFunction],
    },
  ]);
  expect(
    await responseOutcome(
      routes.get({ person: await createPerson(world.ctx) }, "/admin/ledger/unclaimed"),
    ),
  ).toBe("404");
});

test("the list of unclaimed balances has every account once across its pages", async () => {
  const world = await testContext();
  const gone = [await goneWithPayout(world), await goneWithPayout(world)];
  for (const { payoutId, transferId, amountCents } of gone)
    await settlePayout(world.ctx, {
      payoutId,
      providerTransfer: {
        id: transferId,
        reference: payoutId,
        status: "returned",
        amountCents,
        failureCode: null,
      },
    });
  const seen: string[] = [];
  for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
    const page = await unclaimedBalances(world.ctx, { cursor, limit: 1 });
    seen.push(...page.items.map(({ creatorId }) => creatorId));
    cursor = page.next;
  }
  expect(seen.filter((id) => gone.some(({ ana }) => ana.id === id)).toSorted()).toEqual(
    gone.map(({ ana }) => ana.id).toSorted(),
  );
  expect(new Set(seen).size).toBe(seen.length);
});
