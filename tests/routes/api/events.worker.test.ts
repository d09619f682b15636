import { beforeAll, expect, test } from "vitest";
import { createEvent, publishEvent } from "#app/domain/events/commands.server.ts";
import { takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { createApiKey } from "#app/domain/identity/api-keys/commands.server.ts";
import type { ApiScope } from "#app/domain/identity/api-keys/schema.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { mintApiKey } from "#app/http/api/api-key.server.ts";
import type { ApiEvent, ApiEventList, ApiTicketList } from "#app/http/api/events.ts";
import * as tickets from "#app/routes/api/event-tickets.ts";
import * as event from "#app/routes/api/event.ts";
import * as list from "#app/routes/api/events.ts";
import { createRouteCaller, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { eventInput, publishedEvent } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

const LINK = "https://sala.exemplo.test/roda";
const ask = createRouteCaller([
  { path: "api/v1/events", module: list },
  { path: "api/v1/events/tickets", module: tickets },
  { path: "api/v1/events/:id", module: event },
]);

let world: World;
let ana: TestPerson;
let fan: TestPerson;
let eventId: string;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
  fan = await createPerson(world.ctx, "Bia");
  eventId = await publishedEvent(world.ctx, ana, { link: LINK, capacity: 5 });
  await takeSeats(world.ctx, { eventId, personId: fan.id, quantity: 1 });
});

const get = (path: string, key?: string) =>
  ask(
    new Request(
      `${TEST_ORIGIN}/api/v1${path}`,
      key ? { headers: { Authorization: `Bearer ${key}` } } : {},
    ),
  );

async function keyOf(
  { id: personId }: TestPerson,
  scopes: ApiScope[] = ["events:read"],
): Promise<string> {
  const { key, tokenHash, hint } = await mintApiKey();
  await createApiKey(world.ctx, {
    personId,
    name: world.ctx.newId(),
    description: "",
    lifetime: "never",
    scopes,
    tokenHash,
    hint,
  });
  return key;
}

const idsFor = async (key?: string): Promise<string[]> =>
  (await (await get("/events", key)).json<ApiEventList>()).items.map(({ id }) => id);

test("the link of an event is for a key of who has a seat, with the scope", async () => {
  const linkFor = async (key?: string) =>
    (await (await get(`/events/${eventId}`, key)).json<ApiEvent>()).link;
  expect(await linkFor(await keyOf(fan))).toBe(LINK);
  expect(await linkFor(await keyOf(fan, ["posts:read"]))).toBe("");
  expect(await linkFor(await keyOf(await createPerson(world.ctx, "Caio")))).toBe("");
  expect(await linkFor()).toBe("");
});

test("tickets are for a key with the scope, and only their person's", async () => {
  expect((await get("/events/tickets")).status).toBe(401);
  expect((await get("/events/tickets", await keyOf(fan, ["posts:read"]))).status).toBe(403);
  const own = await (await get("/events/tickets", await keyOf(fan))).json<ApiTicketList>();
  expect(own.items).toMatchObject([{ event: { id: eventId, ownSeats: 1 }, link: LINK }]);
  const others = await get("/events/tickets", await keyOf(await createPerson(world.ctx, "Caio")));
  expect(await others.json()).toEqual({ items: [] });
});

test("a draft is its creator's alone by its address, and in nobody's list", async () => {
  const { ctx } = world;
  const { eventId: draft } = await createEvent(ctx, { creatorId: ana.id, ...eventInput(ctx) });
  const mine = await keyOf(ana);
  expect((await get(`/events/${draft}`, mine)).status).toBe(200);
  for (const key of [undefined, await keyOf(fan)])
    expect((await get(`/events/${draft}`, key)).status).toBe(404);
  for (const key of [undefined, mine]) expect(await idsFor(key)).not.toContain(draft);
  await publishEvent(ctx, { eventId: draft, creatorId: ana.id });
  expect(await idsFor()).toContain(draft);
});

test("an event of who blocked the key's person is hidden from them, and not from visitors", async () => {
  const { ctx } = world;
  const creator = await createSeller(ctx);
  const hidden = await publishedEvent(ctx, creator);
  const blocked = await createPerson(ctx, "Caio");
  await block(ctx, { personId: creator.id, otherId: blocked.id });
  const key = await keyOf(blocked);
  expect((await get(`/events/${hidden}`, key)).status).toBe(404);
  expect(await idsFor(key)).not.toContain(hidden);
  expect((await get(`/events/${hidden}`)).status).toBe(200);
  expect(await idsFor()).toContain(hidden);
});

test("an event for followers says that it is blocked for others, and an unknown one is 404", async () => {
  const closed = await publishedEvent(world.ctx, ana, { access: "followers" });
  expect(await (await get(`/events/${closed}`)).json()).toMatchObject({ blocked: true });
  const answer = await get(`/events/${"0".repeat(32)}`);
  expect([answer.status, await answer.json()]).toMatchObject([404, { error: "Event not found" }]);
});

test("the list goes on with its cursor, and refuses a limit that is none", async () => {
  const first = await (await get("/events?limit=1")).json<ApiEventList>();
  expect(first.items).toHaveLength(1);
  const rest = await (await get(`/events?cursor=${first.next}`)).json<ApiEventList>();
  expect(rest.items.map(({ id }) => id)).not.toContain(first.items[0]?.id);
  expect((await get("/events?limit=51")).status).toBe(400);
});
