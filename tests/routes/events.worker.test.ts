import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { eventsBetween, upcomingEvents } from "#app/domain/events/queries/lists.server.ts";
import { block, follow } from "#app/domain/profiles/commands.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import * as calendarFeed from "#app/routes/events/calendar/calendar-feed.ts";
import * as calendar from "#app/routes/events/calendar/calendar.tsx";
import * as door from "#app/routes/events/door/door.tsx";
import * as cancellation from "#app/routes/events/event-cancellation.tsx";
import * as create from "#app/routes/events/event-create.tsx";
import * as edit from "#app/routes/events/event-edit.tsx";
import * as ics from "#app/routes/events/calendar/event-ics.ts";
import * as event from "#app/routes/events/event.tsx";
import * as peopleCsv from "#app/routes/events/people/people-csv.ts";
import * as publicIcs from "#app/routes/events/calendar/public-event-ics.ts";
import * as seat from "#app/routes/events/seats/seat.tsx";
import * as ticket from "#app/routes/events/tickets/ticket.tsx";
import * as list from "#app/routes/home/events.tsx";
import * as publicEvent from "#app/routes/public/event.tsx";
import { events } from "#drizzle/schema/events.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { createRouteCaller, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { publishedEvent } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";

const routes = callRoutesAs([
  { path: "events", module: list },
  { path: "events/explore", module: list },
  { path: "events/create", module: create },
  { path: "events/calendar", module: calendar },
  { path: "events/:id", module: event },
  { path: "events/:id/edit", module: edit },
  { path: "events/:id/cancellation", module: cancellation },
  { path: "events/:id/door", module: door },
  { path: "events/:id/people.csv", module: peopleCsv },
  { path: "events/:id/seat", module: seat },
  { path: "events/:id/ticket", module: ticket },
  { path: "events/:id/agenda.ics", module: ics },
]);
const asVisitor = createRouteCaller([
  { path: "space/:username/public/events/:id", module: publicEvent },
  { path: "space/:username/public/events/:id/agenda.ics", module: publicIcs },
  { path: "events/calendar/:token/coreto.ics", module: calendarFeed },
]);
const visit = (path: string) => asVisitor(new Request(TEST_ORIGIN + path));

let world: World;
let ana: Seller;
let fan: TestPerson;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
  fan = await createPerson(world.ctx, "Bia");
});

const LINK = "https://sala.exemplo.test/roda";
const form = (changed: Record<string, string> = {}) => ({
  title: "Roda de rabeca",
  startsAt: "2027-03-20T20:00",
  endsAt: "2027-03-20T22:00",
  timeZone: "America/Sao_Paulo",
  place: "Olinda",
  ...changed,
});

test("a form with mistakes says each beside its field, and gives back what was typed", async () => {
  const answer = await routes.post(
    { person: ana, isCreator: true },
    "/events/create",
    form({ startsAt: "2027-02-31T20:00", link: "javascript:alert(1)", capacity: "muitas" }),
  );
  expect(answer.status).toBe(400);
  const { errors, values } = await answer.json<{
    errors: Record<string, string>;
    values: Record<string, string>;
  }>();
  expect(Object.keys(errors).toSorted()).toEqual(["capacity", "link", "startsAt"]);
  expect(values).toMatchObject({ startsAt: "2027-02-31T20:00", title: "Roda de rabeca" });
});

test("who publishes for a page runs its events; a guest of the team and a stranger do not", async () => {
  const creator = await createSeller(world.ctx);
  const team = await createTeamFor(world.ctx, creator);
  const member = await createTeammate(world.ctx, team, "basic_member");
  const guest = await createTeammate(world.ctx, team, "guest_member");
  const eventId = await publishedEvent(world.ctx, creator);
  const path = `/events/${eventId}`;
  const inTeam = (person: TestPerson) => ({ person, teamId: team.teamId });
  for (const page of ["edit", "door", "people.csv", "cancellation"]) {
    expect((await routes.get(inTeam(member), `${path}/${page}`)).status).toBe(200);
    expect((await routes.get(inTeam(guest), `${path}/${page}`)).status).toBe(403);
    expect((await routes.get({ person: fan }, `${path}/${page}`)).status).toBe(404);
  }
});

test("a draft is seen by its page only, and a published event by visitors, without the link", async () => {
  const as = { person: ana, isCreator: true };
  const made = await routes.post(as, "/events/create", form({ link: LINK }));
  const draft = made.headers.get("Location") ?? "";
  expect(draft).toMatch(/^\/events\/[0-9a-f]{32}$/);
  expect((await routes.get(as, draft)).status).toBe(200);
  expect((await routes.get({ person: fan }, draft)).status).toBe(404);
  const eventId = await publishedEvent(world.ctx, ana, { link: LINK });
  const path = `/space/${ana.username}/public/events/${eventId}`;
  const shown = await visit(path);
  expect(shown.status).toBe(200);
  expect(await shown.text()).not.toContain("sala.exemplo");
  const file = await visit(`${path}/agenda.ics`);
  expect(file.headers.get("Content-Type")).toContain("text/calendar");
  expect(await file.text()).not.toContain("sala.exemplo");
  expect((await visit(`/space/outra/public/events/${eventId}`)).status).toBe(301);
});

test("“Vou” leads to a ticket with its code, and the calendar file then has the link", async () => {
  const eventId = await publishedEvent(world.ctx, ana, { link: LINK, capacity: 1 });
  const path = `/events/${eventId}`;
  const file = async (person: TestPerson) =>
    (await (await routes.get({ person }, `${path}/agenda.ics`)).text()).replaceAll("\r\n ", "");
  expect(await file(fan)).not.toContain(LINK);
  const taken = await routes.post({ person: fan }, `${path}/seat`, { quantity: "1" });
  expect(taken.headers.get("Location")).toBe(`${path}/ticket`);
  const shown = await routes.read<{ tickets: { code: string; qr: { size: number } }[] }>(
    { person: fan },
    `${path}/ticket`,
  );
  expect(shown.tickets[0]?.code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  expect(await file(fan)).toContain(LINK);
  const other = await createPerson(world.ctx, "Caio");
  const refused = await routes.post({ person: other }, `${path}/seat`, { quantity: "1" });
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({
    message: "A última vaga acabou de ir. Entre na fila: se alguém desistir, avisamos você.",
  });
});

test("a subscribed calendar opens without a session, and a wrong address does not", async () => {
  const person = await createPerson(world.ctx, "Dora");
  const eventId = await publishedEvent(world.ctx, ana, { title: "Só minha" });
  await takeSeats(world.ctx, { eventId, personId: person.id, quantity: 1 });
  const made = await routes.post({ person }, "/events/calendar", {});
  const { address } = await made.json<{ address: string }>();
  const answer = await visit(new URL(address).pathname);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("SUMMARY:Só minha");
  expect(answer.headers.get("X-Robots-Tag")).toContain("noindex");
  expect((await visit(`/events/calendar/${"0".repeat(64)}/coreto.ics`)).status).toBe(404);
  expect((await visit("/events/calendar/abc/coreto.ics")).status).toBe(404);
});

test("the calendar has who a person follows and their seats; explore has everybody but who is blocked", async () => {
  const { ctx } = world;
  const [followed, other, blocked] = [
    await createSeller(ctx),
    await createSeller(ctx),
    await createSeller(ctx),
  ];
  const person = await createPerson(ctx, "Eva");
  await follow(ctx, { followerId: person.id, creatorId: followed.id });
  const ids = {
    followed: await publishedEvent(ctx, followed),
    going: await publishedEvent(ctx, other),
    elsewhere: await publishedEvent(ctx, other),
    blocked: await publishedEvent(ctx, blocked),
  };
  await takeSeats(ctx, { eventId: ids.going, personId: person.id, quantity: 1 });
  await block(ctx, { personId: blocked.id, otherId: person.id });
  const range = { from: ctx.now(), to: ctx.now() + 30 * DAY_MS, limit: 500 };
  const known = Object.values(ids);
  const idsOf = (found: { id: string }[]) =>
    found
      .map(({ id }) => id)
      .filter((id) => known.includes(id))
      .toSorted();
  const whose = { personId: person.id } as const;
  const mine = idsOf(await eventsBetween(ctx, { ...whose, scope: "mine", ...range }));
  expect(mine).toEqual([ids.followed, ids.going].toSorted());
  const all = idsOf(await eventsBetween(ctx, { ...whose, scope: "explore", ...range }));
  expect(all).toEqual([ids.followed, ids.going, ids.elsewhere].toSorted());
  const later = { from: ctx.now() + 4 * DAY_MS, to: ctx.now() + 30 * DAY_MS, limit: 500 };
  expect(idsOf(await eventsBetween(ctx, { ...whose, scope: "mine", ...later }))).toEqual([]);
  const page = await upcomingEvents(ctx, { ...whose, scope: "mine", cursor: null, limit: 1 });
  expect([page.items.length, page.next === null]).toEqual([1, false]);
});

test("an event that is over is offered no change and no calendar, and its form leads back to it", async () => {
  const { ctx } = world;
  const startsAt = ctx.now() + HOUR_MS;
  const eventId = await publishedEvent(ctx, ana, { startsAt, endsAt: startsAt + HOUR_MS });
  const creator = { person: ana, isCreator: true };
  type Shown = { isChangeable: boolean; calendar: object | null };
  const offered = async (caller: ActingCaller) => {
    const shown = await routes.read<Shown>(caller, `/events/${eventId}`);
    return { change: shown.isChangeable, calendar: shown.calendar !== null };
  };
  expect(await offered(creator)).toEqual({ change: true, calendar: true });
  await ctx.db
    .update(events)
    .set({ startsAt: ctx.now() - 2 * HOUR_MS, endsAt: ctx.now() })
    .where(eq(events.id, eventId));
  expect(await offered(creator)).toEqual({ change: false, calendar: false });
  expect(await offered({ person: fan })).toMatchObject({ calendar: false });
  const form = await routes.get(creator, `/events/${eventId}/edit`);
  expect([form.status, form.headers.get("Location")]).toEqual([302, `/events/${eventId}`]);
});

test("an event that runs is in the list until its end", async () => {
  const { ctx } = world;
  const creator = await createSeller(ctx);
  const startsAt = ctx.now() - HOUR_MS;
  await publishedEvent(ctx, creator, { startsAt, endsAt: startsAt + 2 * HOUR_MS });
  const mine = { personId: creator.id, scope: "mine", cursor: null, limit: 9 } as const;
  expect((await upcomingEvents(ctx, mine)).items).toHaveLength(1);
  await world.advance(HOUR_MS + 1_000);
  expect((await upcomingEvents(ctx, mine)).items).toHaveLength(0);
});
