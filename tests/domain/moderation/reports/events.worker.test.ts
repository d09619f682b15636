import { beforeAll, expect, test } from "vitest";
import { takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { cancelSeats } from "#app/domain/events/commands/cancellation.server.ts";
import { updateEvent } from "#app/domain/events/commands.server.ts";
import { eventFor, upcomingEventsOfStatement } from "#app/domain/events/queries.server.ts";
import { upcomingEvents } from "#app/domain/events/queries/lists.server.ts";
import { appealDecision, decideAppeal } from "#app/domain/moderation/appeals/commands.server.ts";
import { CannotReportOwn, SubjectNotFound } from "#app/domain/moderation/reports/errors.ts";
import { caseDetail } from "#app/domain/moderation/reports/queries/cases.server.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { eventInput, publishedEvent, tryToTake } from "#tests/support/events.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { appealAddress, claimedAndDecided, reported } from "#tests/support/reports.ts";

let world: World;
let ana: Seller;
let bia: TestPerson;
let carla: TestPerson;
let davi: TestPerson;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
  bia = await createPerson(world.ctx, "Bia");
  carla = await createModerator(world.ctx);
  davi = await createModerator(world.ctx);
});

const subject = (id: string) => ({ subject: { kind: "event" as const, id } });
const sees = async (eventId: string, viewer: { id: string } | null) =>
  (await eventFor(world.ctx, { eventId, viewerId: viewer?.id ?? null })) !== null;

test("an event is reported by who sees it, with a copy that no later change touches", async () => {
  const link = "https://sala.exemplo.test/golpe";
  const input = { title: "Ganhe dinheiro", description: "Mande um Pix antes.", link };
  const eventId = await publishedEvent(world.ctx, ana, input);
  await expect(reported(world.ctx, ana, subject(eventId))).rejects.toBeInstanceOf(CannotReportOwn);
  await expect(reported(world.ctx, bia, subject("nenhum"))).rejects.toBeInstanceOf(SubjectNotFound);
  const { caseId } = await reported(world.ctx, bia, subject(eventId));
  await updateEvent(world.ctx, {
    eventId,
    creatorId: ana.id,
    revision: 0,
    ...eventInput(world.ctx, { title: "Roda de rabeca" }),
  });
  const found = await caseDetail(world.ctx, { caseId, moderatorId: carla.id });
  expect(found?.reports.map(({ evidence }) => evidence)).toMatchObject([
    { kind: "event", ...input },
  ]);
});

test("a hidden event leaves the lists and gives no seat; who has one keeps it, until an appeal shows it again", async () => {
  const { ctx } = world;
  const creator = await createSeller(ctx);
  const [goer, other] = [await createPerson(ctx, "Caio"), await createPerson(ctx, "Dora")];
  const eventId = await publishedEvent(ctx, creator);
  await takeSeats(ctx, { eventId, personId: goer.id, quantity: 1 });
  const { caseId } = await reported(ctx, bia, subject(eventId));
  await claimedAndDecided(ctx, { caseId, moderator: carla, decision: "hide" });
  const seen = () => Promise.all([null, other, goer, creator].map((one) => sees(eventId, one)));
  expect(await seen()).toEqual([false, false, true, true]);
  const explore = { personId: carla.id, scope: "explore", cursor: null, limit: 100 } as const;
  const listed = async () =>
    (await upcomingEvents(ctx, explore)).items.some(({ id }) => id === eventId);
  expect(await listed()).toBe(false);
  const next = { creatorKey: creator.id, viewerId: other.id, limit: 5 };
  expect(await upcomingEventsOfStatement(ctx, next)).toEqual([]);
  expect(await tryToTake(ctx, eventId, creator)).toBe("closed");
  await appealDecision(ctx, { ...(await appealAddress(ctx, caseId)), text: "Não é golpe." });
  const outcome = { caseId, moderatorId: davi.id, outcome: "reversed", reason: "Visto." } as const;
  await decideAppeal(ctx, outcome);
  expect(await seen()).toEqual([true, true, true, true]);
  expect(await listed()).toBe(true);
  await cancelSeats(ctx, { eventId, personId: goer.id });
  expect(await tryToTake(ctx, eventId, other)).toBe("taken");
});
