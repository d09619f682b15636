import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import * as abandonmentPage from "#app/routes/checkout/abandonment.tsx";
import * as chargePage from "#app/routes/checkout/charge.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank, pixCheckout } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { asMember, renderPagesAs } from "#tests/support/rendered-pages.ts";
import { charges } from "#drizzle/schema/payments.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext({ webhooks: false });
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});

const inWorld: MiddlewareFunction = ({ context }) => {
  context.set(domainContext, world.ctx);
};
const routes = callRoutesAs([
  { path: "checkout/:chargeId", module: chargePage, middleware: [inWorld] },
  { path: "checkout/:chargeId/abandonment", module: abandonmentPage, middleware: [inWorld] },
]);
type Ways = {
  otherWays: { otherPath: string | null; abandonPath: string; abandonLabel?: string } | null;
};
const waysOf = async (chargeId: string) =>
  (await (await routes.get({ person: bruno }, `/checkout/${chargeId}`)).json<Ways>()).otherWays;
const giveUp = async (chargeId: string, who = bruno) =>
  await routes.post({ person: who }, `/checkout/${chargeId}/abandonment`, {});
const byCardPage = async () =>
  await startSubscription(world.ctx, {
    memberId: bruno.id,
    memberName: bruno.name,
    planPriceId: ana.priceId,
    method: "card",
    cardToken: null,
  });
const statusOf = async (chargeId: string) => (await chargeRow(world.ctx, { chargeId }))?.status;

test("a payer who leaves the card page without paying can choose another method, or cancel", async () => {
  const { chargeId } = await byCardPage();
  expect(await statusOf(chargeId)).toBe("requires_action");
  expect(await waysOf(chargeId)).toEqual({
    otherPath: `/checkout?plan=${ana.planId}&interval=monthly`,
    abandonPath: `/checkout/${chargeId}/abandonment`,
  });
  const answer = await giveUp(chargeId);
  expect([answer.status, answer.headers.get("location")]).toEqual([302, `/space/${ana.username}`]);
  expect(await statusOf(chargeId)).toBe("canceled");
  expect(await waysOf(chargeId)).toEqual({
    otherPath: null,
    abandonPath: `/space/${ana.username}`,
    // What was given up is not offered to be given up again.
    abandonLabel: `Ver a página de ${ana.name}`,
  });
  // Another way begins at once.
  await pixCheckout(world, bruno, ana);
});

test("every unpaid charge offers another method and a way out, a declined card too", async () => {
  const page = renderPagesAs(
    () => world.ctx,
    () => asMember(bruno),
    [{ path: "checkout/:chargeId", module: chargePage }],
  );
  const expectBothWays = async (chargeId: string, status: string, out = "Desistir") => {
    expect(await statusOf(chargeId)).toBe(status);
    const html = await page(`/checkout/${chargeId}`);
    for (const label of ["Escolher outra forma", out])
      expect(html, `${status}: ${label}`).toMatch(new RegExp(`<a [^>]*>${label}</a>`));
  };
  const { chargeId } = await byCardPage();
  await expectBothWays(chargeId, "requires_action");
  await world.ctx.db
    .update(charges)
    .set({ status: "failed", failureCode: "card_declined" })
    .where(eq(charges.id, chargeId));
  await expectBothWays(chargeId, "failed");
  const code = await pixCheckout(world, bruno, await createSeller(world.ctx));
  await expectBothWays(code.chargeId, "awaiting_payment");
  await giveUp(code.chargeId);
  await expectBothWays(code.chargeId, "canceled", "Ver a página de Ana Lira");
});

test("a code that was paid meanwhile stays paid", async () => {
  const { chargeId, providerChargeId } = await pixCheckout(world, bruno, ana);
  await payAtBank(world, { providerChargeId });
  const answer = await giveUp(chargeId);
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `/checkout/${chargeId}`]);
  expect(await statusOf(chargeId)).toBe("succeeded");
  expect(await waysOf(chargeId)).toBeNull();
});

test("nobody can cancel another payer's charge", async () => {
  const { chargeId } = await pixCheckout(world, bruno, ana);
  expect((await giveUp(chargeId, await createPerson(world.ctx, "Clara"))).status).toBe(404);
  expect(await statusOf(chargeId)).toBe("awaiting_payment");
});
