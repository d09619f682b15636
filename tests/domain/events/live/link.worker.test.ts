import { beforeAll, expect, test } from "vitest";
import { takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { calendarEvents } from "#app/domain/events/calendar/queries.server.ts";
import { ticketsOfPerson } from "#app/domain/events/queries/lists.server.ts";
import { eventFor } from "#app/domain/events/queries.server.ts";
import { calendarFile } from "#app/domain/events/calendar/rules/calendar-file.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { apiEvent } from "#app/http/api/events.ts";
import * as event from "#app/routes/events/event.tsx";
import * as ics from "#app/routes/events/calendar/event-ics.ts";
import * as ticket from "#app/routes/events/tickets/ticket.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { publishedEvent } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const routes = callRoutesAs([
  { path: "events/:id", module: event },
  { path: "events/:id/ticket", module: ticket },
  { path: "events/:id/agenda.ics", module: ics },
]);

const LINK = "https://sala.exemplo.test/roda";
const SENTENCE = "O link aparece no ingresso a partir de";

let world: World;
let ana: Seller;
let fan: TestPerson;
let eventId: string;
let startsAt: number;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
  fan = await createPerson(world.ctx, "Bia");
  startsAt = Math.floor(world.ctx.now() / MINUTE_MS) * MINUTE_MS + 3 * HOUR_MS;
  eventId = await publishedEvent(world.ctx, ana, { startsAt, link: LINK, linkMinutes: 60 });
  await takeSeats(world.ctx, { eventId, personId: fan.id, quantity: 1 });
});

/** Everything that shows the link to the person: what a place shows at `at`. */
async function shownAt(at: number, person: { id: string }) {
  const ctx = { ...world.ctx, now: () => at };
  const view = await eventFor(ctx, { eventId, viewerId: person.id });
  if (!view) throw new Error("no event");
  const [seat] = await ticketsOfPerson(ctx, { personId: person.id });
  const file = { origin: "https://coreto.test", name: "Eventos" };
  return {
    page: view.link,
    api: apiEvent(view).link,
    ticketOfApi: seat?.link ?? null,
    file: unfolded(calendarFile([view], file)).includes(LINK),
    calendar: unfolded(
      calendarFile(await calendarEvents(ctx, { personId: person.id }), file),
    ).includes(LINK),
    opensAt: view.linkOpensAt,
  };
}

const unfolded = (text: string): string => text.replaceAll("\r\n ", "");

test("the link comes to who has a seat at the chosen time, everywhere at once", async () => {
  const opensAt = startsAt - HOUR_MS;
  expect(await shownAt(opensAt - 1, fan)).toEqual({
    page: null,
    api: "",
    ticketOfApi: null,
    file: false,
    calendar: false,
    opensAt,
  });
  expect(await shownAt(opensAt, fan)).toEqual({
    page: LINK,
    api: LINK,
    ticketOfApi: LINK,
    file: true,
    calendar: true,
    opensAt: null,
  });
});

test("who has no seat never sees it, and who runs the event always does", async () => {
  const stranger = await createPerson(world.ctx, "Caio");
  expect(await shownAt(startsAt, stranger)).toMatchObject({ page: null, file: false });
  expect(await shownAt(startsAt - 2 * HOUR_MS, ana)).toMatchObject({ page: LINK, file: true });
});

test.each(["", "/ticket", "/agenda.ics"])(
  "before its time /events/:id%s says when it comes",
  async (path) => {
    const answer = await routes.get({ person: fan }, `/events/${eventId}${path}`);
    const text = unfolded(await answer.text()).replaceAll("\\,", ",");
    expect(text).not.toContain(LINK);
    expect(path === "/agenda.ics" ? text : text).toContain(
      path === "/agenda.ics" ? SENTENCE : `"linkOpensAt":${startsAt - HOUR_MS}`,
    );
  },
);
