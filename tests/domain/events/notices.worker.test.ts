import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { cancelEvent, updateEvent } from "#app/domain/events/commands.server.ts";
import { issueCalendar, revokeCalendar } from "#app/domain/events/calendar/commands.server.ts";
import { eraseEventsStatements, eraseSeats } from "#app/domain/events/commands/erasure.server.ts";
import { cancelSeats } from "#app/domain/events/commands/cancellation.server.ts";
import { joinWaitingList, takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { eventFor } from "#app/domain/events/queries.server.ts";
import { calendarEvents, calendarOwner } from "#app/domain/events/calendar/queries.server.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import { eventNotifications } from "#app/domain/events/rules/notifications.ts";
import { requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { banPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import { commit } from "#app/db/client.server.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { eventCalendars, events, eventSeats, eventWaiting } from "#drizzle/schema/events.ts";
import { people } from "#drizzle/schema/identity.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { eventInput, publishedEvent, seatCounts, tryToTake } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: TestPerson;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
});

/** How often each person was told something of an event, by the outbox. */
async function told(eventId: string, type: string): Promise<Record<string, number>> {
  const rows = await world.ctx.db.all<{ person: string; times: number }>(
    sql`SELECT json_extract(payload, '$.personId') AS person, COUNT(*) AS times FROM outbox WHERE type = ${type} AND json_extract(payload, '$.eventId') = ${eventId} GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ person, times }) => [person, times]));
}

async function withFans(count: number, input: Parameters<typeof publishedEvent>[2] = {}) {
  const eventId = await publishedEvent(world.ctx, ana, { maxPerPerson: 2, ...input });
  const fans = await Promise.all(
    Array.from({ length: count }, (_, at) => createPerson(world.ctx, `Fã ${at}`)),
  );
  for (const { id } of fans) await takeSeats(world.ctx, { eventId, personId: id, quantity: 1 });
  return { eventId, fans, own: { eventId, creatorId: ana.id } };
}

test("another time or place is told once to each person with a seat, and another text to nobody", async () => {
  const { ctx } = world;
  const { eventId, fans, own } = await withFans(2);
  await takeSeats(ctx, { eventId, personId: fans[0]?.id ?? "", quantity: 1 });
  const saved = await editableEvent(ctx, own);
  if (!saved) throw new Error("no event");
  const times = { startsAt: saved.startsAt, endsAt: saved.endsAt, maxPerPerson: 2 };
  await updateEvent(ctx, { ...own, revision: 0, ...eventInput(ctx, { ...times, title: "Outra" }) });
  expect(await told(eventId, "event.changed")).toEqual({});
  const moved = { ...times, startsAt: times.startsAt + HOUR_MS, endsAt: times.endsAt + HOUR_MS };
  await updateEvent(ctx, { ...own, revision: 1, ...eventInput(ctx, moved) });
  const once = Object.fromEntries(fans.map(({ id }) => [id, 1]));
  expect(await told(eventId, "event.changed")).toEqual(once);
  await updateEvent(ctx, {
    ...own,
    revision: 2,
    ...eventInput(ctx, { ...moved, place: "Olinda" }),
  });
  expect(Object.values(await told(eventId, "event.changed"))).toEqual([2, 2]);
});

test("changes that everybody is told of have a daily limit, and quiet ones have none", async () => {
  const { ctx } = world;
  const creator = await createSeller(ctx);
  const eventId = await publishedEvent(ctx, creator);
  const own = { eventId, creatorId: creator.id };
  const saved = await editableEvent(ctx, own);
  if (!saved) throw new Error("no event");
  const times = { startsAt: saved.startsAt, endsAt: saved.endsAt };
  const change = (revision: number, place: string) =>
    updateEvent(ctx, { ...own, revision, ...eventInput(ctx, { ...times, place }) });
  for (let revision = 0; revision < 20; revision += 1) await change(revision, `${revision}`);
  await expect(change(20, "mais uma")).rejects.toThrow("Hoje você já avisou muitas mudanças");
  await change(20, "19");
});

test("nobody is reminded of an event whose creator is leaving", async () => {
  const { ctx } = world;
  const creator = await createSeller(ctx);
  const startsAt = ctx.now() + HOUR_MS;
  const eventId = await publishedEvent(ctx, creator, { startsAt, endsAt: startsAt + HOUR_MS });
  const fan = await createPerson(ctx, "Fã");
  await takeSeats(ctx, { eventId, personId: fan.id, quantity: 1 });
  await ctx.db.update(people).set({ leavingAt: ctx.now() }).where(eq(people.id, creator.id));
  await world.tick();
  expect(await told(eventId, "event.reminded")).toEqual({});
});

test.each(["leaving", "banned"])(
  "who has a seat with a %s creator is told once, keeps the page and cancels there; others see none",
  async (how) => {
    const { ctx } = world;
    const creator = await createSeller(ctx);
    const eventId = await publishedEvent(ctx, creator, { maxPerPerson: 3 });
    const [fan, other] = [await createPerson(ctx, "Fã"), await createPerson(ctx, "Outra")];
    await takeSeats(ctx, { eventId, personId: fan.id, quantity: 2 });
    if (how === "leaving") await requestDeletion(ctx, { personId: creator.id });
    else {
      const { id: moderatorId } = await createPerson(ctx, "Moderação");
      await ctx.db.update(people).set({ isModerator: true }).where(eq(people.id, moderatorId));
      await banPerson(ctx, { moderatorId, personId: creator.id, reason: "Golpes" });
    }
    expect(await told(eventId, "event.page_closed")).toEqual({ [fan.id]: 1 });
    expect(await eventFor(ctx, { eventId, viewerId: other.id })).toBeNull();
    expect(await eventFor(ctx, { eventId, viewerId: null })).toBeNull();
    expect(await eventFor(ctx, { eventId, viewerId: fan.id })).toMatchObject({
      ownSeats: 2,
      isOpen: false,
    });
    expect(await tryToTake(ctx, eventId, fan)).toBe("closed");
    await cancelSeats(ctx, { eventId, personId: fan.id });
    expect(await eventFor(ctx, { eventId, viewerId: fan.id })).toBeNull();
  },
);

test("a change says what changed, a closed page what may fall out, and a reminder how many minutes are left", () => {
  const about = {
    personId: "bia",
    eventId: "roda",
    eventTitle: "Roda",
    creatorId: "ana",
    creatorName: "Ana",
    startsAt: Date.UTC(2026, 11, 20, 23),
    timeZone: "America/Sao_Paulo",
    place: "Olinda",
  };
  const changed = (changes: ("end" | "link")[]) =>
    JSON.stringify(
      eventNotifications["event.changed"]({
        ...about,
        type: "event.changed",
        endsAt: Date.UTC(2026, 11, 21, 1),
        hasPaid: 0,
        changed: changes,
        dates: [],
      }),
    );
  expect(changed(["link"])).toContain("Ana mudou “Roda”: o link.");
  expect(changed(["link"])).toContain("O link novo está no seu ingresso.");
  expect(changed(["end", "link"])).toContain("mudou: a hora do fim e o link.");
  expect(changed(["end"])).toContain("Fim: domingo, 20 de dezembro de 2026, 22:00.");
  const closed = eventNotifications["event.page_closed"]({ ...about, type: "event.page_closed" });
  expect(JSON.stringify(closed)).toContain("A página de Ana fechou, e “Roda” pode não acontecer.");
  const soon = {
    ...about,
    type: "event.reminded",
    ahead: "start",
    hasLink: false,
    linkOpensAt: null,
  } as const;
  const reminded = (minutes: number) =>
    JSON.stringify(eventNotifications["event.reminded"]({ ...soon, minutes }));
  expect(reminded(3)).toContain("começa em 3 minutos");
  expect(reminded(1)).toContain("começa em 1 minuto:");
  const linked = (linkOpensAt: number | null) =>
    JSON.stringify(
      eventNotifications["event.reminded"]({ ...soon, minutes: 15, hasLink: true, linkOpensAt }),
    );
  expect(linked(null)).toContain("O link do evento está no seu ingresso.");
  expect(linked(Date.UTC(2026, 11, 20, 22, 55))).toContain(
    "O link aparece no ingresso a partir de domingo, 20 de dezembro de 2026, 19:55",
  );
  expect(reminded(3)).not.toContain("O link do evento");
});

test("a canceled event and a seat are notifications in the app", async () => {
  const { eventId, fans, own } = await withFans(1);
  await cancelEvent(world.ctx, own);
  const messages = await world.ctx.db.all<{ id: string }>(
    sql`SELECT id FROM outbox WHERE json_extract(payload, '$.eventId') = ${eventId}`,
  );
  for (const { id } of messages) await deliverOutboxMessage(world.ctx, { outboxId: id });
  const rows = await world.ctx.db
    .select({ body: notifications.body, path: notifications.path })
    .from(notifications)
    .where(eq(notifications.personId, fans[0]?.id ?? ""));
  expect(rows.map(({ body }) => body).toSorted()).toEqual([
    "Você tem 1 vaga em “Roda de rabeca”.",
    "“Roda de rabeca” foi cancelado.",
  ]);
  expect(rows.map(({ path }) => path).toSorted()).toEqual([
    `/events/${eventId}`,
    `/events/${eventId}/ticket`,
  ]);
});

test("people with a seat are reminded a day and 15 minutes before, once each, and again if it moves", async () => {
  const { ctx } = world;
  const startsAt = ctx.now() + 3 * DAY_MS;
  const { eventId, fans, own } = await withFans(1, { startsAt, endsAt: startsAt + HOUR_MS });
  const fan = fans[0]?.id ?? "";
  const reminded = async () => (await told(eventId, "event.reminded"))[fan] ?? 0;
  await world.tick();
  expect(await reminded()).toBe(0);
  await world.advance(startsAt - DAY_MS + MINUTE_MS - ctx.now());
  await world.tick();
  await world.tick();
  expect(await reminded()).toBe(1);
  await world.advance(startsAt - 14 * MINUTE_MS - ctx.now());
  await world.tick();
  await world.tick();
  expect(await reminded()).toBe(2);
  const later = startsAt + 2 * DAY_MS;
  await updateEvent(ctx, {
    ...own,
    revision: 0,
    ...eventInput(ctx, { startsAt: later, endsAt: later + HOUR_MS }),
  });
  await world.advance(later - DAY_MS + MINUTE_MS - ctx.now());
  await world.tick();
  expect(await reminded()).toBe(3);
});

test("a calendar address shows its person's events with links, until it is replaced or revoked", async () => {
  const { ctx } = world;
  const { eventId, fans, own } = await withFans(1, { link: "https://sala.exemplo.test/x" });
  const personId = fans[0]?.id ?? "";
  await issueCalendar(ctx, { personId, tokenHash: "a".repeat(64) });
  await issueCalendar(ctx, { personId, tokenHash: "b".repeat(64) });
  expect(await calendarOwner(ctx, { tokenHash: "a".repeat(64) })).toBeNull();
  expect(await calendarOwner(ctx, { tokenHash: "b".repeat(64) })).toEqual({ personId });
  const listed = await calendarEvents(ctx, { personId });
  expect(listed).toMatchObject([{ id: eventId, link: "https://sala.exemplo.test/x" }]);
  await cancelEvent(ctx, own);
  expect(await calendarEvents(ctx, { personId })).toMatchObject([
    { status: "canceled", revision: 1 },
  ]);
  await revokeCalendar(ctx, { personId });
  expect(await calendarOwner(ctx, { tokenHash: "b".repeat(64) })).toBeNull();
});

test("a canceled seat and a block take the event out of the calendar", async () => {
  const { ctx } = world;
  const { eventId, fans } = await withFans(2);
  const [bia, caio] = fans;
  if (!bia || !caio) throw new Error("two people");
  await cancelSeats(ctx, { eventId, personId: bia.id });
  await block(ctx, { personId: caio.id, otherId: ana.id });
  for (const { id } of [bia, caio]) expect(await calendarEvents(ctx, { personId: id })).toEqual([]);
});

test("an erased person's seat goes to the waiting list, and nothing of theirs is left", async () => {
  const { ctx } = world;
  const { eventId, fans } = await withFans(1, { capacity: 1, maxPerPerson: 1 });
  const dora = await createPerson(ctx, "Dora");
  await joinWaitingList(ctx, { eventId, personId: dora.id, quantity: 1 });
  const personId = fans[0]?.id ?? "";
  await issueCalendar(ctx, { personId, tokenHash: "c".repeat(64) });
  while ((await eraseSeats(ctx, { personId, limit: 10 })) > 0);
  await commit(ctx.db, eraseEventsStatements(ctx, { personId }));
  expect((await eventFor(ctx, { eventId, viewerId: dora.id }))?.offer?.quantity).toBe(1);
  expect(await ctx.db.select().from(eventSeats).where(eq(eventSeats.personId, personId))).toEqual(
    [],
  );
  expect(
    await ctx.db.select().from(eventCalendars).where(eq(eventCalendars.personId, personId)),
  ).toEqual([]);
});

test("an erased creator's events are canceled with a notice, and then gone with their seats", async () => {
  const { ctx } = world;
  const creator = await createSeller(ctx);
  const eventId = await publishedEvent(ctx, creator, { capacity: 1 });
  const [bia, caio] = [await createPerson(ctx, "Bia"), await createPerson(ctx, "Caio")];
  await takeSeats(ctx, { eventId, personId: bia.id, quantity: 1 });
  await joinWaitingList(ctx, { eventId, personId: caio.id, quantity: 1 });
  while ((await eraseSeats(ctx, { personId: creator.id, limit: 10 })) > 0);
  await commit(ctx.db, eraseEventsStatements(ctx, { personId: creator.id }));
  expect(await told(eventId, "event.canceled")).toEqual({ [bia.id]: 1, [caio.id]: 1 });
  for (const table of [eventSeats, eventWaiting])
    expect(await ctx.db.select().from(table).where(eq(table.eventId, eventId))).toEqual([]);
  expect(await ctx.db.select().from(events).where(eq(events.id, eventId))).toEqual([]);
});

test("the counts of an event are those of its rows after many people came and went at once", async () => {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana, { capacity: 3 });
  const fans = await Promise.all(Array.from({ length: 9 }, (_, at) => createPerson(ctx, `${at}`)));
  const quietly = (work: Promise<unknown>) => work.catch(() => null);
  for (const round of [0, 1, 2])
    await Promise.all(
      fans.map(async ({ id: personId }, at) => {
        const who = { eventId, personId };
        await quietly(takeSeats(ctx, { ...who, quantity: 1 }));
        if ((at + round) % 3 === 0) await quietly(cancelSeats(ctx, who));
        else await quietly(joinWaitingList(ctx, { ...who, quantity: 1 }));
      }),
    );
  const { stored, summed } = await seatCounts(ctx, eventId);
  expect(stored).toEqual(summed);
  expect(summed.taken + summed.offered).toBe(3);
});
