import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { addComment } from "#app/domain/comments/commands.server.ts";
import { recordMailEvent } from "#app/domain/notifications/commands/addresses.server.ts";
import { chooseNotifications } from "#app/domain/notifications/commands/choices.server.ts";
import { addDevice } from "#app/domain/notifications/commands/devices.server.ts";
import { eraseNotificationsStatements } from "#app/domain/notifications/commands/erasure.server.ts";
import { setPostMuted } from "#app/domain/notifications/commands/mutes.server.ts";
import { sweepOutbox } from "#app/domain/notifications/commands/steps.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { formerEmails } from "#drizzle/schema/identity.ts";
import {
  newsletterStops,
  notificationDeliveries,
  notificationHours,
  postMutes,
  pushDevices,
  stoppedAddresses,
} from "#drizzle/schema/notifications.ts";
import { exampleMessage } from "#workers/sandbox-psp/gallery/examples.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";
import { testContext } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

test("an erased account leaves no hours, mutes, devices, stops or deliveries, nor what waits from it", async () => {
  const { ctx } = await testContext();
  const [ana, bia] = [await createSeller(ctx), await createPerson(ctx, "Bia")];
  const { postId } = await publishPost(ctx, {
    authorId: ana.id,
    title: "Itinerário",
    content: "Texto.",
    teaser: "",
    audience: "public",
    planIds: [],
    image: null,
  });
  const quiet = { fromMinute: 0, untilMinute: 1_439 };
  for (const { id: personId } of [ana, bia]) {
    await chooseNotifications(ctx, {
      personId,
      on: ["comment:app", "comment:mail"],
      shown: ["comment"],
      digest: "never",
      hours: { timeZone: "America/Sao_Paulo", quiet },
    });
    await addDevice(ctx, {
      personId,
      endpoint: `https://push.example.net/${personId}`,
      p256dh: "p",
      auth: "a",
      userAgent: "",
    });
    await setPostMuted(ctx, { personId, postId, muted: true });
  }
  await setPostMuted(ctx, { personId: ana.id, postId, muted: false });
  await ctx.db
    .insert(newsletterStops)
    .values({ personId: bia.id, creatorId: ana.id, stoppedAt: 1 });
  await addComment(ctx, { postId, authorId: bia.id, authorName: bia.name, body: "Que bom!" });
  await sweepOutbox({ ...ctx, realNow: () => ctx.realNow() + MINUTE_MS });
  expect(await ctx.db.$count(notificationDeliveries)).toBeGreaterThan(0);
  await commit(ctx.db, eraseNotificationsStatements(ctx, { personId: bia.id, email: bia.email }));
  const counts = await Promise.all(
    [notificationHours, pushDevices, postMutes, newsletterStops].map((table) =>
      ctx.db.$count(table),
    ),
  );
  expect(counts).toEqual([1, 1, 0, 0]);
  const left = await testEnv.DB.prepare(
    "SELECT COUNT(*) AS left FROM notification_deliveries WHERE content LIKE '%Bia%' OR person_id = ?1 OR from_id = ?1",
  )
    .bind(bia.id)
    .first<{ left: number }>();
  expect(left?.left).toBe(0);
});

test("an erased account's addresses are no longer known as stopped", async () => {
  const { ctx } = await testContext();
  const [ana, bia] = [await createPerson(ctx, "Ana"), await createPerson(ctx, "Bia")];
  const former = `antes-${bia.email}`;
  await ctx.db
    .insert(formerEmails)
    .values({ personId: bia.id, email: former.toUpperCase(), leftAt: ctx.now() });
  for (const address of [ana.email, bia.email, former])
    await recordMailEvent(ctx, {
      type: "complained",
      address: address.toUpperCase(),
      isPermanent: true,
      occurredAt: ctx.realNow(),
    });
  await commit(ctx.db, eraseNotificationsStatements(ctx, { personId: bia.id, email: bia.email }));
  const left = await ctx.db.select().from(stoppedAddresses);
  expect(left.map(({ address }) => address)).toEqual([ana.email]);
});

test("an erased account's name and words leave what waits for others", async () => {
  const { ctx } = await testContext();
  const [ana, bia] = [await createSeller(ctx), await createPerson(ctx, 'Bia "B" Ramos')];
  await chooseNotifications(ctx, {
    personId: ana.id,
    on: ["sale:app", "sale:mail", "sale:push"],
    shown: ["sale"],
    digest: "never",
    hours: { timeZone: "America/Sao_Paulo", quiet: { fromMinute: 0, untilMinute: 1_439 } },
  });
  await addDevice(ctx, {
    personId: ana.id,
    endpoint: "https://push.example.net/ana",
    p256dh: "p",
    auth: "a",
    userAgent: "",
  });
  const tip = {
    ...exampleMessage("tip.given"),
    payerId: bia.id,
    payerName: bia.name,
    creatorId: ana.id,
    message: "",
  } as OutboxMessage;
  await commit(ctx.db, [announce<OutboxMessage>(ctx, "tip:t1:given", tip)]);
  await sweepOutbox({ ...ctx, realNow: () => ctx.realNow() + MINUTE_MS });
  const waiting = async () =>
    await ctx.db
      .select({ content: notificationDeliveries.content })
      .from(notificationDeliveries)
      .where(
        and(eq(notificationDeliveries.personId, ana.id), eq(notificationDeliveries.kind, "sale")),
      );
  expect(JSON.stringify(await waiting())).toContain("Ramos");
  await commit(ctx.db, eraseNotificationsStatements(ctx, { personId: bia.id, email: bia.email }));
  const left = await waiting();
  expect(left).toHaveLength(2);
  expect(JSON.stringify(left)).not.toContain("Ramos");
  expect(left[0]?.content?.["body"]).toContain("Conta excluída apoiou você");
});
