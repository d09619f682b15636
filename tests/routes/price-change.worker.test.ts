import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as linkPage from "#app/routes/settings/subscriptions/price-link.tsx";
import * as answerPage from "#app/routes/settings/subscriptions/price.tsx";
import * as subscriptionPage from "#app/routes/settings/subscriptions/subscription.tsx";
import * as askPage from "#app/routes/studio/plans/plan-price.tsx";
import * as planPage from "#app/routes/studio/plans/plan-update.tsx";
import { priceAnswersText } from "#app/components/plans/price-change-card.tsx";
import type { PriceChangeDetails } from "#app/components/subscriptions/price-answer.tsx";
import { billingOverview } from "#app/domain/billing/details/queries.server.ts";
import {
  PriceChangeClosed,
  PriceLinkExpired,
} from "#app/domain/subscriptions/price-changes/errors.ts";
import { answerPriceChangeByLink } from "#app/domain/subscriptions/price-changes/commands/answer.server.ts";
import { notifyPriceChange } from "#app/domain/subscriptions/price-changes/commands/price-change.server.ts";
import { remindPriceChange } from "#app/domain/subscriptions/price-changes/commands/reminder.server.ts";
import {
  priceChangesToRemind,
  priceChangesToNotify,
  priceChangeStatuses,
} from "#app/domain/subscriptions/price-changes/queries/price-changes.server.ts";
import { openedPriceLink } from "#app/domain/subscriptions/price-changes/queries/consents.server.ts";
import { priceLinkSchema } from "#app/domain/subscriptions/price-changes/schema.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createRouteCaller, formRequest, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { proposedPrice, newPrice, priceChangeHelpers } from "#tests/support/price-changes.ts";

const routes = callRoutesAs([
  { path: "plan/:planId/update", module: planPage },
  { path: "plan/:planId/price/:priceId", module: askPage },
  { path: "settings/subscriptions/:id", module: subscriptionPage },
  { path: "settings/subscriptions/:id/price", module: answerPage },
]);

let world: World;
let ana: Seller;
let bruno: TestPerson;
let subscriptionId: string;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { amountCents: 2_000, interval: "quarterly" });
  bruno = await createPerson(world.ctx, "Bruno");
  subscriptionId = (await paidSubscription(world, bruno, ana)).purchaseId;
});
afterEach(() => expectInvariantsToHold(world.ctx));

const { view, answer, row, nextCents, emails, asks } = priceChangeHelpers(() => ({
  world,
  fan: bruno,
  subscriptionId,
}));
const sells = () => ({ person: ana, isCreator: true });
const fan = () => ({ person: bruno });
const at = (path = "") => `/settings/subscriptions/${subscriptionId}${path}`;

describe("price change for the creator", () => {
  test("shows the older subscribers, is proposed by a form, and follows the answers", async () => {
    const priceId = await newPrice(world, ana, 2_500);
    const shown = await routes.read<{ prices: { status: { olderCount: number; ask: null } }[] }>(
      sells(),
      `/plan/${ana.planId}/update`,
    );
    expect(shown.prices).toMatchObject([{ status: { olderCount: 1, ask: null } }]);
    const path = `/plan/${ana.planId}/price/${priceId}`;
    expect(await routes.read(sells(), path)).toMatchObject({
      amountCents: 2_500,
      older: [{ count: 1, price: "R$\u00a020,00 por trimestre", isLower: false }],
    });
    expect((await routes.post(sells(), path, { amountCents: "2400" })).status).toBe(404);
    expect((await routes.post(sells(), path, { amountCents: "2500" })).status).toBe(302);
    expect((await routes.post(sells(), path, { amountCents: "2500" })).status).toBe(409);
    await answer("accepted");
    const [standing] = await priceChangeStatuses(world.ctx, {
      planId: ana.planId,
      creatorId: ana.id,
    });
    expect(standing?.ask && priceAnswersText(standing.ask)).toBe(
      "1 aceitou · 0 mantiveram · 0 ainda não responderam",
    );
    expect((await routes.get(sells(), path)).status).toBe(302);
    expect(
      (await routes.post({ person: bruno, isCreator: true }, path, { amountCents: "2500" })).status,
    ).toBe(404);
  });
});

describe("price change for the subscriber", () => {
  test("is shown beside the price, answered, and can be answered differently later", async () => {
    expect((await routes.get(fan(), at("/price"))).status).toBe(302);
    await proposedPrice(world, ana, 2_500);
    const shown = await routes.read<{ priceAsk: PriceChangeDetails }>(fan(), at());
    expect(shown.priceAsk).toMatchObject({
      state: "asked",
      fromPrice: "R$\u00a020,00 por trimestre",
      toPrice: "R$\u00a025,00 por trimestre",
      needsMandate: false,
    });
    const { askId } = shown.priceAsk;
    expect((await routes.post(fan(), at("/price"), { askId })).status).toBe(400);
    expect((await routes.post(fan(), at("/price"), { askId, answer: "accepted" })).status).toBe(
      302,
    );
    expect(await nextCents()).toBe(2_500);
    expect(await routes.read(fan(), at())).toMatchObject({ amountCents: 2_000, nextCents: 2_500 });
    expect(
      (await billingOverview(world.ctx, { personId: bruno.id })).upcoming[0]?.amountCents,
    ).toBe(2_500);
    expect((await routes.post(fan(), at("/price"), { askId, answer: "kept" })).status).toBe(302);
    expect((await view()).state).toBe("kept");
    expect(
      (await routes.post({ person: ana }, at("/price"), { askId, answer: "accepted" })).status,
    ).toBe(404);
  });
});

describe("signed link of the price change e-mail", () => {
  const ask = createRouteCaller([
    { path: "renewal/price/:askId/:subscriptionId/:until/:signature", module: linkPage },
  ]);
  const get = (path: string) => ask(new Request(TEST_ORIGIN + path));
  const press = (path: string, given: string) =>
    ask(formRequest(path, { askId: path.split("/")[3] ?? "", answer: given }));
  const linkOf = async () =>
    new RegExp(`${TEST_ORIGIN}(/renewal/price/\\S+)`).exec(
      (await emails("pede um preço novo"))[0] ?? "",
    )?.[1] ?? "";

  test("changes nothing when opened; its buttons accept or keep the old price, without signing in", async () => {
    await proposedPrice(world, ana, 2_500);
    await world.drain();
    const path = await linkOf();
    for (let scans = 0; scans < 3; scans += 1) expect((await get(path)).status).toBe(200);
    expect((await view()).state).toBe("asked");
    for (const given of ["accepted", "kept"] as const) {
      const pressed = await press(path, given);
      expect([pressed.status, pressed.headers.get("Location")]).toEqual([303, path]);
      expect((await view()).state).toBe(given);
      for (const said of [pressed, await get(path)]) {
        expect(
          said.headers
            .getSetCookie()
            .filter((cookie) => !cookie.startsWith("__Host-coreto-bookmark=")),
        ).toEqual([]);
        expect(said.headers.get("X-Robots-Tag")).toContain("noindex");
      }
    }
    expect((await press(path, "sim")).status).toBe(400);
  });

  test("is valid for one proposal and subscription until its effective day, and refuses a forged one", async () => {
    await proposedPrice(world, ana, 2_500);
    await world.drain();
    const path = await linkOf();
    const [, , , askId = "", id = "", until = "", signature = ""] = path.split("/");
    const other = (
      await paidSubscription(
        world,
        await createPerson(world.ctx, "Outra"),
        await createSeller(world.ctx),
      )
    ).purchaseId;
    const forged = [
      [askId, other, until, signature],
      ["ask", id, until, signature],
      [askId, id, String(Number(until) + 1), signature],
      [askId, id, until, "A".repeat(43)],
      [askId, id, `${until}0`, signature],
    ];
    for (const parts of forged) {
      const address = `/renewal/price/${parts.join("/")}`;
      expect((await get(address)).status).toBe(404);
      expect((await press(address, "accepted")).status).toBe(404);
    }
    const link = priceLinkSchema.parse({ askId, subscriptionId: id, until, signature });
    await world.advance(link.until - 60_000 - world.ctx.now());
    expect((await openedPriceLink(world.ctx, link))?.view).not.toBeNull();
    await world.advance(60_000);
    expect(await openedPriceLink(world.ctx, link)).toBeNull();
    await expect(
      answerPriceChangeByLink(world.ctx, { ...link, answer: "accepted" }),
    ).rejects.toThrow(PriceLinkExpired);
    expect((await view()).state).toBe("asked");
  });

  test("of a withdrawn proposal says that it is closed", async () => {
    await proposedPrice(world, ana, 2_500);
    await world.drain();
    const path = await linkOf();
    await newPrice(world, ana, 2_600);
    expect(await (await get(path)).json()).toEqual({ page: null });
    const pressed = await press(path, "accepted");
    expect([pressed.status, await pressed.json()]).toMatchObject([
      409,
      { message: new PriceChangeClosed().message },
    ]);
    expect(await row()).toMatchObject({ amountCents: 2_000 });
  });
});

describe("price change cron", () => {
  test("does not repeat a finished notification, and reminds a subscriber without an answer once, a week before", async () => {
    await proposedPrice(world, ana, 2_500);
    const [ask] = await asks(ana.planId);
    expect(await priceChangesToNotify(world.ctx, { limit: 10 })).not.toContain(ask?.id);
    await notifyPriceChange(world.ctx, { askId: ask?.id ?? "" });
    const day = (ask?.takesEffectAt ?? 0) - 7 * DAY_MS;
    const due = async (now: number) =>
      (await priceChangesToRemind(world.ctx, { now, limit: 50 })).includes(subscriptionId);
    expect(await due(day - 1)).toBe(false);
    await world.advance(day - world.ctx.now());
    expect(await due(world.ctx.now())).toBe(true);
    await remindPriceChange(world.ctx, { subscriptionId });
    await remindPriceChange(world.ctx, { subscriptionId });
    await world.drain();
    expect(await emails("Lembrete")).toHaveLength(1);
    expect(await due(world.ctx.now())).toBe(false);
  });
});
