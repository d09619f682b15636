import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MiddlewareFunction } from "react-router";
import {
  expireCardSetup,
  saveCard,
  settleSavedCard,
} from "#app/domain/billing/saved-methods/commands/save-card.server.ts";
import {
  CardRefreshRateLimited,
  CardNotSaved,
  SavedMethodNotFound,
  TooManyCardSetups,
} from "#app/domain/billing/errors.ts";
import { savedCards } from "#app/domain/billing/details/queries.server.ts";
import { NotAtProvider, ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { startTip } from "#app/domain/purchases/tips/commands/tips.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import * as confirmation from "#app/routes/settings/billing/billing-method-confirmation.tsx";
import * as create from "#app/routes/settings/billing/billing-method-create.tsx";
import { savedMethodAttempts } from "#drizzle/schema/billing.ts";
import { floodCounts } from "#drizzle/schema/rate-limits.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { cardToken } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { tipCheckoutInput } from "#tests/support/tips.ts";

/** Gives the routes the context, clock and provider of the current test. */
const inWorld: MiddlewareFunction<Response> = ({ context }) => {
  context.set(domainContext, world.ctx);
};
const pages = callRoutesAs([
  {
    path: "settings/billing/methods/create",
    module: create,
    middleware: [inWorld as MiddlewareFunction],
  },
  {
    path: "settings/billing/methods/confirmation/:attemptId",
    module: confirmation,
    middleware: [inWorld as MiddlewareFunction],
  },
]);
const CREATE = "/settings/billing/methods/create";
const [GOOD, ASKS, DECLINED] = ["4242424242424242", "4000000000003220", "4000000000000002"];

let world: World;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const keep = async (number: string) =>
  saveCard(world.ctx, {
    personId: bruno.id,
    cardToken: await cardToken(world, number),
    returnPath: "/settings/billing/methods/confirmation",
  });
const cards = async () =>
  (await savedCards(world.ctx, { personId: bruno.id })).map(({ last4, isDefault }) => ({
    last4,
    isDefault,
  }));
const attempts = () =>
  world.ctx.db.select().from(savedMethodAttempts).where(eq(savedMethodAttempts.personId, bruno.id));
const answerBank = async (url: string, decision: "approve" | "refuse") =>
  world.browse(new URL(url).pathname, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: new URL(url).origin },
    body: `decision=${decision}`,
  });

async function asked(): Promise<{ nextActionUrl: string; attemptId: string }> {
  const kept = await keep(ASKS);
  const [attempt] = await attempts();
  if (kept.kind !== "confirm" || !attempt) throw new Error(`the card is ${kept.kind}`);
  return { nextActionUrl: kept.nextActionUrl, attemptId: attempt.id };
}

describe("card saved without a payment", () => {
  test("charges nothing, becomes the default as the first card, and pays later purchases", async () => {
    expect(await keep(GOOD)).toEqual({ kind: "kept" });
    expect(await cards()).toEqual([{ last4: "4242", isDefault: true }]);
    expect([
      await attempts(),
      await world.ctx.db.select().from(charges).where(eq(charges.payerId, bruno.id)),
    ]).toEqual([[], []]);
    expect(await keep(GOOD)).toEqual({ kind: "kept" });
    expect((await cards()).filter(({ isDefault }) => isDefault)).toHaveLength(1);
    const ana = await createSeller(world.ctx);
    const [card] = await savedCards(world.ctx, { personId: bruno.id });
    await expect(
      startTip(
        world.ctx,
        tipCheckoutInput(bruno, ana, { method: "card", savedMethodId: card?.id ?? "" }),
      ),
    ).resolves.toMatchObject({ status: "succeeded" });
    await world.drain();
  });

  test("that needs bank confirmation is saved once after approval, also for parallel calls, and for its owner only", async () => {
    const { nextActionUrl, attemptId } = await asked();
    expect(await cards()).toEqual([]);
    expect((await settleSavedCard(world.ctx, { personId: bruno.id, attemptId })).kind).toBe(
      "confirm",
    );
    await answerBank(nextActionUrl, "approve");
    await expect(
      settleSavedCard(world.ctx, {
        personId: (await createPerson(world.ctx, "Clara")).id,
        attemptId,
      }),
    ).rejects.toThrow(SavedMethodNotFound);
    const both = await Promise.allSettled([
      settleSavedCard(world.ctx, { personId: bruno.id, attemptId }),
      settleSavedCard(world.ctx, { personId: bruno.id, attemptId }),
    ]);
    expect(both.some(({ status }) => status === "fulfilled")).toBe(true);
    expect(await cards()).toEqual([{ last4: "3220", isDefault: true }]);
    await expect(settleSavedCard(world.ctx, { personId: bruno.id, attemptId })).rejects.toThrow(
      SavedMethodNotFound,
    );
  });

  test("unknown to the provider ends as not saved, on its page and by the cron", async () => {
    const gone = () => Promise.reject(new NotAtProvider("saved_method_not_found"));
    const without = { ...world.ctx, payments: { ...world.ctx.payments, savedMethodById: gone } };
    const first = await asked();
    const refusing = {
      ...world.ctx,
      payments: {
        ...world.ctx.payments,
        savedMethodById: () => Promise.reject(new ProviderRefused("forbidden")),
      },
    };
    expect(
      await settleSavedCard(refusing, { personId: bruno.id, attemptId: first.attemptId }),
    ).toEqual({ kind: "waiting" });
    expect(await attempts()).toHaveLength(1);
    await expect(
      settleSavedCard(without, { personId: bruno.id, attemptId: first.attemptId }),
    ).rejects.toThrow(CardNotSaved);
    expect(await attempts()).toEqual([]);
    const second = await asked();
    await expireCardSetup(without, { attemptId: second.attemptId });
    expect([await cards(), await attempts()]).toEqual([[], []]);
  });

  test("can be looked up at the provider sixty times an hour", async () => {
    const { attemptId } = await asked();
    await world.ctx.db.insert(floodCounts).values({
      key: `ask-card:${bruno.id}:${HOUR_MS}`,
      count: 60,
      windowStartedAt: world.ctx.now(),
    });
    await expect(settleSavedCard(world.ctx, { personId: bruno.id, attemptId })).rejects.toThrow(
      CardRefreshRateLimited,
    );
    expect(await attempts()).toHaveLength(1);
  });

  test("refused by its owner or bank is not saved, and leaves no attempt", async () => {
    const { nextActionUrl, attemptId } = await asked();
    await answerBank(nextActionUrl, "refuse");
    await expect(
      settleSavedCard(world.ctx, { personId: bruno.id, attemptId }),
    ).rejects.toMatchObject({ name: "CardNotSaved" });
    await expect(keep(DECLINED)).rejects.toMatchObject({
      name: "CardNotSaved",
      message: expect.stringContaining("O cartão não foi guardado."),
    });
    expect([await cards(), await attempts()]).toEqual([[], []]);
  });

  test("approved in a closed tab is saved by the cron; an unanswered attempt is deleted after a day", async () => {
    const { nextActionUrl } = await asked();
    await answerBank(nextActionUrl, "approve");
    await world.tick();
    expect(await attempts()).toHaveLength(1);
    await world.advance(DAY_MS);
    await world.tick();
    expect([await cards(), await attempts()]).toEqual([[{ last4: "3220", isDefault: true }], []]);
    await asked();
    await world.advance(DAY_MS);
    await world.tick();
    expect([(await cards()).length, await attempts()]).toEqual([1, []]);
  });

  test("with an unconfirmed provider answer waits, is not sent again, and is deleted after a day", async () => {
    const typed = await cardToken(world, GOOD);
    const silent = {
      ...world.ctx,
      payments: {
        ...world.ctx.payments,
        saveMethod: () => Promise.reject(new ProviderUnclear("timeout")),
      },
    };
    expect(
      await saveCard(silent, { personId: bruno.id, cardToken: typed, returnPath: "/x" }),
    ).toEqual({ kind: "waiting" });
    await world.advance(DAY_MS);
    await world.tick();
    expect([await cards(), await attempts()]).toEqual([[], []]);
  });

  test("can be tried five times an hour, also in parallel", async () => {
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => keep(DECLINED)));
    expect(
      tries.filter((one) => one.status === "rejected" && one.reason instanceof TooManyCardSetups),
    ).toHaveLength(3);
    await world.advance(HOUR_MS);
    expect(await keep(GOOD)).toEqual({ kind: "kept" });
  });
});

test("saving a card returns to the page that asked for it, and never to another site", async () => {
  const [change, kept] = [
    "/settings/subscriptions/1/payment-method/change",
    async (to: string) =>
      pages.post({ person: bruno }, `${CREATE}?to=${encodeURIComponent(to)}`, {
        cardToken: await cardToken(world, GOOD),
        consent: "on",
      }),
  ];
  expect((await kept(change)).headers.get("Location")).toBe(change);
  expect((await kept("//mau.test")).headers.get("Location")).toBe("/settings/billing");
  expect(
    await pages.read({ person: bruno }, `${CREATE}?to=${encodeURIComponent(change)}`),
  ).toMatchObject({ backPath: change });
});

test("the page for saving a card requires consent and a card, and names what is missing", async () => {
  const refused = await pages.post({ person: bruno }, CREATE, {
    cardToken: await cardToken(world, GOOD),
  });
  expect([refused.status, await refused.json()]).toEqual([
    400,
    expect.objectContaining({ errors: { consent: "Para guardar o cartão, é preciso autorizar" } }),
  ]);
  expect(
    (
      (await (await pages.post({ person: bruno }, CREATE, { consent: "on" })).json()) as {
        errors: object;
      }
    ).errors,
  ).toEqual({ cardToken: "Digite o cartão" });
  expect(await attempts()).toEqual([]);
  // The form redirects to our own page, which links to the bank. `form-action` blocks a direct
  // redirect.
  const asks = await pages.post({ person: bruno }, CREATE, {
    cardToken: await cardToken(world, ASKS),
    consent: "on",
  });
  const [attempt] = await attempts();
  expect([asks.status, asks.headers.get("Location")]).toEqual([
    303,
    `/settings/billing/methods/confirmation/${attempt?.id}`,
  ]);
  const page = asks.headers.get("Location") ?? "";
  const { nextActionUrl } = await pages.read<{ nextActionUrl: string }>({ person: bruno }, page);
  await answerBank(nextActionUrl, "approve");
  expect((await pages.get({ person: bruno }, page)).headers.get("Location")).toBe(
    "/settings/billing",
  );
  expect(await cards()).toEqual([{ last4: "3220", isDefault: true }]);
  const back = await pages.get({ person: bruno }, "/settings/billing/methods/confirmation/nothing");
  expect([back.status, back.headers.get("Location")]).toEqual([302, "/settings/billing"]);
});
