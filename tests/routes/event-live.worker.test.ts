import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { cancelEvent } from "#app/domain/events/commands.server.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import * as ics from "#app/routes/events/calendar/event-ics.ts";
import * as event from "#app/routes/events/event.tsx";
import * as playerRoute from "#app/routes/events/live/live-player.ts";
import * as live from "#app/routes/events/live/live.tsx";
import * as ticket from "#app/routes/events/tickets/ticket.tsx";
import * as feed from "#app/routes/home/feed.tsx";
import * as list from "#app/routes/home/events.tsx";
import * as publicEvent from "#app/routes/public/event.tsx";
import { events } from "#drizzle/schema/events.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { createRouteCaller, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { publishedEvent } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const doorways = [
  { path: "home", module: feed },
  { path: "events", module: list },
  { path: "events/:id", module: event },
  { path: "events/:id/live", module: live },
  { path: "events/:id/live/player", module: playerRoute },
  { path: "events/:id/ticket", module: ticket },
  { path: "events/:id/agenda.ics", module: ics },
];
const routes = callRoutesAs(doorways, { ...testEnv, UNCOMPLETED_FEATURES: "true" });
const asVisitor = createRouteCaller([
  { path: "space/:username/public/events/:id", module: publicEvent },
]);

const VIDEO_ID = "dQw4w9WgXcQ";
let world: World;
let ana: Seller;
let fan: TestPerson;
let outsider: TestPerson;
let eventId: string;

/** An event with a video, from so many minutes from now, of an hour; the fan has a seat. */
async function eventIn(minutes: number): Promise<string> {
  const { ctx } = world;
  const startsAt = ctx.now() + minutes * MINUTE_MS;
  const id = await publishedEvent(ctx, ana, {
    startsAt,
    endsAt: startsAt + HOUR_MS,
    place: "",
    link: `https://www.youtube.com/watch?v=${VIDEO_ID}`,
  });
  await takeSeats(ctx, { eventId: id, personId: fan.id, quantity: 1 });
  return id;
}

beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
  fan = await createPerson(world.ctx, "Bia");
  outsider = await createPerson(world.ctx, "Caio");
  await follow(world.ctx, { followerId: outsider.id, creatorId: ana.id });
  eventId = await eventIn(-10);
});

const open = (person: TestPerson, path: string) => routes.get({ person }, path);
const stateOf = async (person: TestPerson, id: string) => {
  const answer = await open(person, `/events/${id}/live`);
  const { event: shown } = await answer.json<{ event: { state: string } }>();
  return shown.state;
};
const player = (id: string) => `/events/${id}/live/player`;

test("who has a seat, and who runs the event, get the player from 15 minutes before the start", async () => {
  for (const id of [await eventIn(14), eventId]) {
    expect(await stateOf(fan, id)).toBe("open");
    const page = await open(fan, player(id));
    expect(await page.text()).toContain(
      `src="https://www.youtube-nocookie.com/embed/${VIDEO_ID}?autoplay=1"`,
    );
    const policy = page.headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("frame-src https://www.youtube-nocookie.com;");
    expect(policy).toContain("default-src 'none'");
    expect(page.headers.get("Cache-Control")).toBe("private, no-store");
    expect((await open(ana, player(id))).status).toBe(200);
  }
});

test("earlier, after the end and of a canceled event there is no player, for nobody", async () => {
  const [early, over, canceled] = [await eventIn(60), await eventIn(-10), await eventIn(-10)];
  await world.ctx.db
    .update(events)
    .set({ endsAt: world.ctx.now() - 1 })
    .where(eq(events.id, over));
  await cancelEvent(world.ctx, { eventId: canceled, creatorId: ana.id });
  const states = { early, over, canceled };
  for (const [state, id] of Object.entries(states))
    for (const person of [fan, ana]) {
      expect(await stateOf(person, id)).toBe(state);
      expect((await open(person, player(id))).status).toBe(404);
    }
});

test("nobody without a seat gets the video's address, and the live page has it for nobody", async () => {
  const shown = await asVisitor(
    new Request(`${TEST_ORIGIN}/space/${ana.username}/public/events/${eventId}`),
  );
  expect(await shown.text()).not.toContain(VIDEO_ID);
  for (const page of ["", "/live", "/live/player", "/ticket", "/agenda.ics"]) {
    const answer = await open(outsider, `/events/${eventId}${page}`);
    expect(await answer.text(), page).not.toContain(VIDEO_ID);
  }
  expect(await stateOf(outsider, eventId)).toBe("no_seat");
  expect((await open(outsider, player(eventId))).status).toBe(404);
  expect(await (await open(fan, `/events/${eventId}/live`)).text()).not.toContain(VIDEO_ID);
});

test("while it runs, the feed of who has a seat or follows says so, and nobody else's", async () => {
  const running = async (person: TestPerson) => {
    const answer = await open(person, "/home");
    const { running: found } = await answer.json<{ running: { id: string; ownSeats: number }[] }>();
    return found;
  };
  expect(await running(fan)).toMatchObject([{ id: eventId, ownSeats: 1 }]);
  expect(await running(outsider)).toMatchObject([{ id: eventId, ownSeats: 0 }]);
  expect(await running(await createPerson(world.ctx, "Davi"))).toEqual([]);
});
