import { and, asc, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { performLinkAction } from "#app/domain/subscriptions/email-links/commands.server.ts";
import { LinkExpired } from "#app/domain/subscriptions/email-links/errors.ts";
import { pauseSubscription } from "#app/domain/subscriptions/pauses/commands.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import {
  subscriptionLinkUrl,
  openedLink,
} from "#app/domain/subscriptions/email-links/queries.server.ts";
import { linkParamsSchema } from "#app/domain/subscriptions/email-links/schema.ts";
import { addDays, formatDay, MINUTE_MS } from "#app/domain/time.ts";
import * as renewalLink from "#app/routes/settings/subscriptions/renewal-link.tsx";
import { localMails } from "#drizzle/schema/mail.ts";
import { subscriptionCancellations, subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createRouteCaller, formRequest, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { cardToken, payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let subscriptionId: string;
let endsAt: number;
beforeEach(async () => {
  world = await testContext();
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

async function subscribe(interval: Interval, method: "pix" | "card"): Promise<void> {
  ana = await createSeller(world.ctx, { interval });
  const started = await startSubscription(world.ctx, {
    memberId: bruno.id,
    memberName: bruno.name,
    planPriceId: ana.priceId,
    method,
    cardToken: method === "card" ? await cardToken(world) : null,
  });
  const charge = await chargeRow(world.ctx, started);
  if (method === "pix")
    await payAtBank(world, { providerChargeId: charge?.providerChargeId ?? "" });
  await world.drain();
  subscriptionId = charge?.purchaseId ?? "";
  endsAt = (await row()).currentPeriodEndsAt ?? 0;
}

async function row() {
  const [found] = await world.ctx.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, subscriptionId));
  if (!found) throw new Error("no subscription");
  return found;
}
const memberIds = () => ({ fanId: bruno.id, subscriptionId });

/** The emails about the next renewal, oldest first. */
async function emails(subjectPart = "renova em") {
  return (
    await world.ctx.db
      .select()
      .from(localMails)
      .where(eq(localMails.recipient, bruno.email))
      .orderBy(asc(localMails.createdAt))
  ).filter(({ subject }) => subject.includes(subjectPart));
}

/** Advances to this many days before the end of the period, and runs the renewal twice. */
async function goTo(days: number): Promise<void> {
  await world.advance(addDays(endsAt, -days) + MINUTE_MS - world.ctx.now());
  for (let looks = 0; looks < 2; looks += 1) {
    await advanceSubscription(world.ctx, { subscriptionId });
    await world.drain();
  }
}

describe("a renewal reminder", () => {
  test.each<[Interval, "pix" | "card", number[], number[]]>([
    ["monthly", "card", [4, 3, 2, 1], [0, 1, 1, 1]],
    ["monthly", "pix", [4, 3, 1], [0, 0, 0]],
    ["quarterly", "pix", [8, 7, 4], [0, 1, 1]],
    ["annual", "card", [31, 30, 8, 7, 1], [0, 1, 1, 2, 2]],
    ["weekly", "card", [6, 3, 1], [0, 0, 0]],
  ])(
    "of a %s subscription by %s: on days %j before the end, %j emails were sent",
    async (interval, method, days, counts) => {
      await subscribe(interval, method);
      const sent: number[] = [];
      for (const day of days) {
        await goTo(day);
        sent.push((await emails()).length);
      }
      expect(sent).toEqual(counts);
      for (const { body, subject } of await emails()) {
        expect(subject).toContain(formatDay(endsAt));
        expect(body).toContain("R$");
        expect(body).toMatch(new RegExp(`/renewal/pause/${subscriptionId}/\\d+/[\\w-]{43}`));
        expect(body).toMatch(new RegExp(`/renewal/cancel/${subscriptionId}/\\d+/[\\w-]{43}`));
      }
    },
  );

  test("is sent by the cron on its day, once", async () => {
    await subscribe("monthly", "card");
    for (const day of [4, 3, 2.5]) {
      await world.advance(
        addDays(endsAt, -3) - (day - 3) * 86_400_000 + MINUTE_MS - world.ctx.now(),
      );
      await world.tick();
    }
    expect(await emails()).toHaveLength(1);
  });

  test("of a monthly Pix is the email with the code, with a link to cancel", async () => {
    await subscribe("monthly", "pix");
    await goTo(3);
    const [email, ...more] = await emails("Renove sua assinatura");
    expect(more).toEqual([]);
    expect(email?.body).toContain("000201");
    expect(email?.body).toContain(`/renewal/cancel/${subscriptionId}/`);
  });

  test.each([
    ["canceled", cancelSubscription],
    ["paused it", pauseSubscription],
  ] as const)("is not sent to a subscriber who %s", async (_, stop) => {
    await subscribe("monthly", "card");
    await stop(world.ctx, memberIds());
    for (const day of [3, 2]) await goTo(day);
    expect(await emails()).toEqual([]);
  });

  test("is not sent when the subscription is canceled at the same moment", async () => {
    await subscribe("monthly", "card");
    await world.advance(addDays(endsAt, -3) + MINUTE_MS - world.ctx.now());
    const ctx = interleaveBeforeWrite(
      world.ctx,
      () => cancelSubscription(world.ctx, memberIds()),
      /insert into "outbox"/,
    );
    await advanceSubscription(ctx, { subscriptionId });
    await world.drain();
    expect(await emails()).toEqual([]);
  });

  test("is sent again when a pause moves the end of the period", async () => {
    await subscribe("monthly", "card");
    await goTo(3);
    await pauseSubscription(world.ctx, memberIds());
    const { resumesAt, currentPeriodEndsAt } = await row();
    await world.advance((resumesAt ?? 0) - world.ctx.now() + MINUTE_MS);
    await advanceSubscription(world.ctx, { subscriptionId });
    await world.drain();
    expect((await emails()).map(({ subject }) => subject.slice(-10))).toEqual([
      formatDay(endsAt),
      formatDay(currentPeriodEndsAt ?? 0),
    ]);
  });
});

describe("an action link of an email", () => {
  const ask = createRouteCaller([
    { path: "renewal/:act/:subscriptionId/:until/:signature", module: renewalLink },
  ]);
  const at = (address: string) => new URL(address).pathname;
  const get = (path: string) => ask(new Request(TEST_ORIGIN + path));
  const press = (path: string) => ask(formRequest(path, {}));
  const link = async (act: "pause" | "cancel" | "resume" | "reactivate", of = subscriptionId) =>
    at(await subscriptionLinkUrl(world.ctx, act, { subscriptionId: of, endsAt }));
  type Shown = { mayAct: boolean; undoPath: string | null; badge: string };

  test("does nothing until its button is pressed; then it acts without a session, and the page offers to undo it", async () => {
    await subscribe("monthly", "card");
    for (const [act, status, undone] of [
      ["cancel", "canceled", "active"],
      ["pause", "paused", "active"],
    ] as const) {
      const path = await link(act);
      for (let scans = 0; scans < 3; scans += 1) {
        const shown = await get(path);
        expect(shown.status).toBe(200);
        expect((await shown.json<Shown>()).mayAct).toBe(true);
      }
      expect((await row()).status).toBe("active");
      const pressed = await press(path);
      expect(pressed.status).toBe(303);
      expect(pressed.headers.get("Location")).toBe(path);
      expect((await row()).status).toBe(status);
      const done = await get(path);
      for (const answer of [pressed, done]) {
        // Only the D1 bookmark cookie may be set, and no session.
        expect(
          answer.headers
            .getSetCookie()
            .filter((cookie) => !cookie.startsWith("__Host-coreto-bookmark=")),
        ).toEqual([]);
        // The URL is not sent to other sites, and the browser still sends an origin with the form.
        expect(answer.headers.get("Referrer-Policy")).toBe("same-origin");
        expect(answer.headers.get("X-Robots-Tag")).toContain("noindex");
      }
      expect(done.headers.get("Cache-Control")).toBe("private, no-store");
      const { mayAct, undoPath } = await done.json<Shown>();
      expect(mayAct).toBe(false);
      expect((await press(undoPath ?? "")).status).toBe(303);
      expect((await row()).status).toBe(undone);
    }
  });

  test("in a confirmation email undoes what the email confirms", async () => {
    await subscribe("monthly", "card");
    await cancelSubscription(world.ctx, memberIds());
    await world.drain();
    const undoes = async (subjectPart: string, act: string) =>
      new RegExp(`${TEST_ORIGIN}(/renewal/${act}/\\S+)`).exec(
        (await emails(subjectPart)).at(-1)?.body ?? "",
      )?.[1] ?? "";
    expect((await press(await undoes("protocolo", "reactivate"))).status).toBe(303);
    expect((await row()).status).toBe("active");
    await pauseSubscription(world.ctx, memberIds());
    await world.drain();
    expect((await press(await undoes("pausada", "resume"))).status).toBe(303);
    expect((await row()).status).toBe("active");
  });

  test("is valid for one action on one subscription until its day, and only with our signature", async () => {
    await subscribe("monthly", "card");
    const first = subscriptionId;
    const path = await link("cancel");
    const [, , act = "", id = "", until = "", signature = ""] = path.split("/");
    bruno = await createPerson(world.ctx, "Outro");
    await subscribe("monthly", "card");
    const forged = [
      ["pause", id, until, signature],
      [act, subscriptionId, until, signature],
      [act, id, String(Number(until) + 1), signature],
      [act, id, until, `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`],
      [act, id, until, "A".repeat(43)],
      ["delete", id, until, signature],
      [act, id, `${until}0`, signature],
    ];
    for (const parts of forged) {
      const address = `/renewal/${parts.join("/")}`;
      expect((await get(address)).status).toBe(404);
      expect((await press(address)).status).toBe(404);
    }
    const address = linkParamsSchema.parse({ act, subscriptionId: id, until, signature });
    await world.advance(address.until - 60_000 - world.ctx.now());
    expect(await openedLink(world.ctx, address)).not.toBeNull();
    await world.advance(60_000);
    expect(await openedLink(world.ctx, address)).toBeNull();
    await expect(performLinkAction(world.ctx, address)).rejects.toThrow(LinkExpired);
    expect(
      await world.ctx.db.$count(
        subscriptions,
        and(eq(subscriptions.id, first), eq(subscriptions.status, "canceled")),
      ),
    ).toBe(0);
    expect(
      await world.ctx.db.$count(
        subscriptions,
        and(eq(subscriptions.id, subscriptionId), eq(subscriptions.status, "canceled")),
      ),
    ).toBe(0);
  });

  test("pressed twenty times at once cancels once, and is rate limited", async () => {
    await subscribe("monthly", "card");
    const path = await link("cancel");
    const answers = await Promise.all(Array.from({ length: 20 }, () => press(path)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect(
      await world.ctx.db.$count(
        subscriptionCancellations,
        eq(subscriptionCancellations.subscriptionId, subscriptionId),
      ),
    ).toBe(1);
  });

  test("says that nothing is left to do when the action no longer applies", async () => {
    await subscribe("monthly", "card");
    const path = await link("pause");
    await cancelSubscription(world.ctx, memberIds());
    expect(await (await get(path)).json<Shown>()).toMatchObject({
      mayAct: false,
      undoPath: null,
      badge: expect.stringContaining("Cancelada"),
    });
    expect((await press(path)).status).toBe(409);
  });
});
