import { asc, eq, sql } from "drizzle-orm";
import type { MiddlewareFunction } from "react-router";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { retryFailedDelivery } from "#app/domain/notifications/commands/failures.server.ts";
import { sendDueDeliveries, sweepOutbox } from "#app/domain/notifications/commands/steps.server.ts";
import { DeliveryNotFailed } from "#app/domain/notifications/errors.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { requireModerator } from "#app/http/require-member.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";
import * as retry from "#app/routes/admin/notifications/failure-retry.ts";
import * as list from "#app/routes/admin/notifications/failures.tsx";
import { localMails } from "#drizzle/schema/mail.ts";
import { deliveryRetries, notificationDeliveries } from "#drizzle/schema/notifications.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createModerator, createPerson } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const ofStaff = (module: object) => ({
  module,
  middleware: [requireModerator as MiddlewareFunction],
});
const routes = callRoutesAs([
  { path: "admin/notifications", ...ofStaff(list) },
  { path: "admin/notifications/retry", ...ofStaff(retry) },
]);

let world: World;
let ctx: Context;
let bruno: TestPerson;
let staff: ActingCaller;
let deliveryId: string;
let messageId: string;
beforeEach(async () => {
  await cleanDatabase("DB", testEnv.DB, []);
  world = await testContext();
  ctx = world.ctx;
  bruno = await createPerson(ctx, "Bruno");
  staff = { person: await createModerator(ctx), isModerator: true };
  await ctx.db.insert(notificationDeliveries).values({
    key: `newsletter:1:${bruno.id}`,
    personId: bruno.id,
    channel: "mail",
    kind: "sale",
    content: { subject: "Segredo", body: "Segredo", path: "/notifications" },
    dueAt: 1,
    attempts: 14,
    failedAt: ctx.now(),
    failure: "mail not sent: E_DOWN",
    createdAt: ctx.now() - 8 * DAY_MS,
  });
  await commit(ctx.db, [
    announce<OutboxMessage>(ctx, "lost", { type: "person.unbanned", personId: bruno.id }),
  ]);
  await ctx.db
    .update(outbox)
    .set({ quarantinedAt: ctx.realNow() - 1_000, quarantineReason: "undeliverable", attempts: 100 })
    .where(eq(outbox.id, "lost"));
  const [delivery, message] = await Promise.all([
    ctx.db.all<{ id: number }>(sql`SELECT rowid AS id FROM notification_deliveries`),
    ctx.db.all<{ id: number }>(sql`SELECT rowid AS id FROM outbox WHERE id = 'lost'`),
  ]);
  [deliveryId, messageId] = [String(delivery[0]?.id), String(message[0]?.id)];
});

const retryAs = (who: ActingCaller, source: string, id: string) =>
  routes.post(who, "/admin/notifications/retry", { source, id });
const mails = async () =>
  await ctx.db.select().from(localMails).where(eq(localMails.recipient, bruno.email));

describe("the list of what failed for good", () => {
  test("has the reason, the attempts and the age of each, and names nobody", async () => {
    const text = await (await routes.get(staff, "/admin/notifications")).text();
    const { rows } = JSON.parse(text) as { rows: Record<string, unknown>[] };
    expect(rows).toMatchObject([
      { source: "delivery", failure: "mail not sent: E_DOWN", attempts: 14, channel: "E-mail" },
      { source: "message", failure: "undeliverable", attempts: 100 },
    ]);
    expect(rows.every(({ since }) => typeof since === "string" && since !== "")).toBe(true);
    expect(text).not.toMatch(/Bruno|Segredo/);
    expect(text).not.toContain(bruno.email);
    expect(text).not.toContain(bruno.id);
  });

  test("is for staff", async () => {
    const member = { person: bruno };
    expect(await responseOutcome(routes.get(member, "/admin/notifications"))).toBe("404");
    expect(await responseOutcome(retryAs(member, "delivery", deliveryId))).toBe("404");
    expect(await ctx.db.$count(deliveryRetries)).toBe(0);
  });
});

describe("trying again", () => {
  test("sends it once, and records who asked for what", async () => {
    await retryAs(staff, "delivery", deliveryId);
    await retryAs(staff, "message", messageId);
    const soon: Context = { ...ctx, realNow: () => ctx.realNow() + MINUTE_MS };
    for (let round = 0; round < 2; round += 1) {
      await sweepOutbox(soon);
      await sendDueDeliveries(soon);
    }
    expect((await mails()).map(({ sourceKey }) => sourceKey).toSorted()).toEqual([
      "lost:0",
      `newsletter:1:${bruno.id}`,
    ]);
    const asked = await ctx.db.select().from(deliveryRetries).orderBy(asc(deliveryRetries.failure));
    expect(asked.map((one) => [one.deliveryNumber, one.moderatorId, one.failure])).toEqual([
      [deliveryId, staff.person.id, "mail not sent: E_DOWN"],
      [messageId, staff.person.id, "undeliverable"],
    ]);
    expect(JSON.stringify([asked, world.logged])).not.toContain(bruno.id);
  });

  test("of two staff at once one succeeds", async () => {
    const ask = () =>
      retryFailedDelivery(ctx, {
        source: "delivery",
        id: deliveryId,
        moderatorId: staff.person.id,
      });
    const results = await Promise.allSettled([ask(), ask(), ask()]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(ask()).rejects.toThrow(DeliveryNotFailed);
    expect(await ctx.db.$count(deliveryRetries)).toBe(1);
    expect(world.logged.map(({ event }) => event)).toEqual(["notifications.delivery_retried"]);
  });
});
