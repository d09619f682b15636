import { beforeAll, expect, test } from "vitest";
import { eventFor, ticketsOf } from "#app/domain/events/queries.server.ts";
import * as event from "#app/routes/events/event.tsx";
import * as approval from "#app/routes/events/requests/request-approval.tsx";
import * as refusal from "#app/routes/events/requests/request-refusal.tsx";
import * as withdrawal from "#app/routes/events/requests/request-withdrawal.tsx";
import * as requestPage from "#app/routes/events/requests/request.tsx";
import * as requests from "#app/routes/events/requests/requests.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { publishedEvent } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";

const routes = callRoutesAs([
  { path: "events/:id", module: event },
  { path: "events/:id/request", module: requestPage },
  { path: "events/:id/request/withdrawal", module: withdrawal },
  { path: "events/:id/requests", module: requests },
  { path: "events/:id/requests/:personId/approval", module: approval },
  { path: "events/:id/requests/:personId/refusal", module: refusal },
]);

let world: World;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
});

test("a person asks and withdraws; who manages the page's events answers, a guest of the team does not", async () => {
  const { ctx } = world;
  const creator = await createSeller(ctx);
  const [bia, caio] = [await createPerson(ctx, "Bia"), await createPerson(ctx, "Caio")];
  const team = await createTeamFor(ctx, creator);
  const member = await createTeammate(ctx, team, "basic_member");
  const guest = await createTeammate(ctx, team, "guest_member");
  const eventId = await publishedEvent(ctx, creator, { needsApproval: true });
  const path = `/events/${eventId}`;
  const inTeam = (person: TestPerson) => ({ person, teamId: team.teamId });
  const statusOf = async (person: TestPerson) =>
    (await eventFor(ctx, { eventId, viewerId: person.id }))?.request?.status ?? null;
  for (const person of [bia, caio]) {
    const asked = await routes.post({ person }, `${path}/request`, { quantity: "1" });
    expect(asked.headers.get("Location")).toBe(path);
  }
  expect((await routes.post({ person: bia }, `${path}/request/withdrawal`, {})).status).toBe(302);
  expect(await statusOf(bia)).toBeNull();
  await routes.post({ person: bia }, `${path}/request`, { quantity: "1" });
  const list = `${path}/requests`;
  const space = creator.id;
  expect((await routes.get(inTeam(guest), list)).status).toBe(403);
  expect((await routes.get({ person: bia }, list)).status).toBe(404);
  const shown = await routes.read<{ page: { items: { personId: string }[] } }>(
    inTeam(member),
    list,
  );
  expect(shown.page.items.map(({ personId }) => personId).toSorted()).toEqual(
    [bia.id, caio.id].toSorted(),
  );
  const approve = (person: TestPerson) =>
    routes.post(inTeam(person), `${list}/${bia.id}/approval`, { space });
  expect((await approve(guest)).status).toBe(403);
  expect((await approve(member)).status).toBe(302);
  expect(await ticketsOf(ctx, { eventId, personId: bia.id })).toHaveLength(1);
  const refused = await routes.post(inTeam(member), `${list}/${caio.id}/refusal`, {
    space,
    reply: "Só para alunos.",
  });
  expect(refused.status).toBe(302);
  expect(await statusOf(caio)).toBe("refused");
});

test("a reply that is too long is said beside its field, and answers nothing", async () => {
  const { ctx } = world;
  const creator = await createSeller(ctx);
  const bia = await createPerson(ctx, "Bia");
  const eventId = await publishedEvent(ctx, creator, { needsApproval: true });
  await routes.post({ person: bia }, `/events/${eventId}/request`, { quantity: "1" });
  const answer = await routes.post(
    { person: creator, isCreator: true },
    `/events/${eventId}/requests/${bia.id}/approval`,
    { reply: "a".repeat(501) },
  );
  expect(await answer.json()).toMatchObject({ errors: { reply: "Use até 500 caracteres." } });
  expect(await ticketsOf(ctx, { eventId, personId: bia.id })).toHaveLength(0);
});

test("who was refused is offered nothing of those with a seat; who waits may still note the day", async () => {
  const { ctx } = world;
  const creator = await createSeller(ctx);
  const [bia, caio] = [await createPerson(ctx, "Bia"), await createPerson(ctx, "Caio")];
  const eventId = await publishedEvent(ctx, creator, {
    needsApproval: true,
    link: "https://youtu.be/dQw4w9WgXcQ",
  });
  const path = `/events/${eventId}`;
  for (const person of [bia, caio])
    await routes.post({ person }, `${path}/request`, { quantity: "1" });
  const runs = { person: creator, isCreator: true };
  await routes.post(runs, `${path}/requests/${caio.id}/refusal`, { reply: "" });
  const offers = async (caller: ActingCaller) => {
    const shown = await routes.read<{ calendar: object | null; isWatchable: boolean }>(
      caller,
      path,
    );
    return { calendar: shown.calendar !== null, live: shown.isWatchable };
  };
  expect(await offers({ person: caio })).toEqual({ calendar: false, live: false });
  expect(await offers({ person: bia })).toEqual({ calendar: true, live: false });
  // The creator may still approve, and then it is a seat like any other.
  await routes.post(runs, `${path}/requests/${caio.id}/approval`, { reply: "" });
  expect(await offers({ person: caio })).toEqual({ calendar: true, live: true });
  expect(await offers(runs)).toEqual({ calendar: true, live: true });
});
