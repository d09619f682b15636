import { beforeAll, expect, test } from "vitest";
import { cancelEvent } from "#app/domain/events/commands.server.ts";
import { checkIn, undoCheckIn } from "#app/domain/events/door/commands.server.ts";
import { cancelSeats } from "#app/domain/events/commands/cancellation.server.ts";
import { takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { TicketUsed } from "#app/domain/events/errors.ts";
import { ticketsOf } from "#app/domain/events/queries.server.ts";
import { allAttendees, checkedInCount } from "#app/domain/events/attendees/queries.server.ts";
import { shownTicketCode } from "#app/domain/events/rules.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { publishedEvent } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: TestPerson;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
});

async function ticketed(name = "Bia") {
  const eventId = await publishedEvent(world.ctx, ana, { capacity: 5 });
  const person = await createPerson(world.ctx, name);
  await takeSeats(world.ctx, { eventId, personId: person.id, quantity: 1 });
  const [ticket] = await ticketsOf(world.ctx, { eventId, personId: person.id });
  if (!ticket) throw new Error("no ticket");
  return { door: { eventId, creatorId: ana.id }, person, ...ticket };
}

const entering = (door: { eventId: string; creatorId: string }, code: string) =>
  checkIn(world.ctx, { ...door, code, byId: ana.id });

test("of ten doors with the same ticket at once, one lets in, and the others say since when", async () => {
  const { door, code } = await ticketed();
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => entering(door, code)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const result of results)
    if (result.status === "rejected") expect(result.reason).toBeInstanceOf(TicketUsed);
  expect(await checkedInCount(world.ctx, door)).toBe(1);
});

test("a code is read however it is typed, and lets in again once it is undone", async () => {
  const { door, code } = await ticketed("Caio");
  const { entryId, ...who } = await entering(door, ` ${shownTicketCode(code).toLowerCase()} `);
  expect(who).toEqual({ name: "Caio", kindName: null });
  await expect(entering(door, code)).rejects.toThrow("Caio já entrou com este ingresso em");
  await undoCheckIn(world.ctx, { ...door, entryId });
  await world.advance(1_000);
  expect((await entering(door, code)).name).toBe("Caio");
  // The button of the first entry, pressed again, does not undo the second.
  await expect(undoCheckIn(world.ctx, { ...door, entryId })).rejects.toThrow(
    "Esta entrada já foi desfeita",
  );
  await expect(entering(door, code)).rejects.toThrow("Caio já entrou com este ingresso em");
});

test("a ticket of another event, of another creator's door, or canceled lets nobody in", async () => {
  const one = await ticketed();
  const other = await ticketed();
  const stranger = await createSeller(world.ctx);
  const { entryId } = await entering(other.door, other.code);
  const unknown = "Este código não é de um ingresso deste evento.";
  await expect(entering(one.door, other.code)).rejects.toThrow(unknown);
  await expect(entering(one.door, "0000-0000-0000")).rejects.toThrow(unknown);
  await expect(entering(one.door, "qualquer coisa")).rejects.toThrow(unknown);
  const elsewhere = { eventId: one.door.eventId, creatorId: stranger.id };
  await expect(entering(elsewhere, one.code)).rejects.toThrow("Não encontramos este evento.");
  await expect(
    undoCheckIn(world.ctx, { ...other.door, creatorId: stranger.id, entryId }),
  ).rejects.toThrow(unknown);
  await expect(undoCheckIn(world.ctx, { ...one.door, entryId })).rejects.toThrow(unknown);
  await cancelSeats(world.ctx, { eventId: one.door.eventId, personId: one.person.id });
  await expect(entering(one.door, one.code)).rejects.toThrow("A vaga de Bia foi cancelada");
});

test("a ticket of a canceled event lets nobody in", async () => {
  const { door, code } = await ticketed();
  await cancelEvent(world.ctx, door);
  await expect(entering(door, code)).rejects.toThrow(
    "Este evento foi cancelado: nenhum ingresso entra.",
  );
});

test("a seat whose person is inside is not canceled", async () => {
  const { door, code, person } = await ticketed();
  await entering(door, code);
  await expect(
    cancelSeats(world.ctx, { eventId: door.eventId, personId: person.id }),
  ).rejects.toThrow("Você não tem vaga que possa cancelar");
});

test("the list of who comes has everybody once, over its pages, and only for the creator", async () => {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana);
  const fans = await Promise.all(
    Array.from({ length: 5 }, (_, at) => createPerson(ctx, `Fã ${at}`)),
  );
  for (const { id } of fans) await takeSeats(ctx, { eventId, personId: id, quantity: 1 });
  const listed = async (creatorId: string) => {
    const names: string[] = [];
    for await (const page of allAttendees(ctx, { eventId, creatorId, pageRows: 2 }))
      names.push(...page.map(({ name }) => name));
    return names;
  };
  expect(await listed(ana.id)).toEqual(fans.map(({ name }) => name));
  expect(await listed((await createSeller(ctx)).id)).toEqual([]);
});
