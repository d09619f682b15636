import { beforeAll, expect, test } from "vitest";
import * as seat from "#app/routes/events/seats/seat.tsx";
import * as peopleCsv from "#app/routes/events/people/people-csv.ts";
import * as ticket from "#app/routes/events/tickets/ticket.tsx";
import * as ticketName from "#app/routes/events/tickets/ticket-name.tsx";
import * as ticketPdf from "#app/routes/events/tickets/ticket-pdf.ts";
import * as ticketTransfer from "#app/routes/events/tickets/ticket-transfer.tsx";
import * as ticketWithdrawal from "#app/routes/events/tickets/ticket-withdrawal.tsx";
import * as transfer from "#app/routes/events/tickets/transfer.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { publishedEvent } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { eventTransfers } from "#drizzle/schema/events.ts";

const routes = callRoutesAs([
  { path: "events/:id/seat", module: seat },
  { path: "events/:id/people.csv", module: peopleCsv },
  { path: "events/:id/ticket", module: ticket },
  { path: "events/:id/ingresso.pdf", module: ticketPdf },
  { path: "events/:id/tickets/:seatId/name", module: ticketName },
  { path: "events/:id/tickets/:seatId/transfer", module: ticketTransfer },
  { path: "events/:id/tickets/:seatId/withdrawal", module: ticketWithdrawal },
  { path: "events/transfers/:key", module: transfer },
]);

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
});

type Shown = { tickets: { seatId: string; name: string; passingTo: string | null }[] };

test("seats are taken on names, each with its ticket, in the spreadsheet and as a PDF", async () => {
  const bia = await createPerson(world.ctx, "Bia");
  const id = await publishedEvent(world.ctx, ana, { maxPerPerson: 3 });
  const as = { person: bia };
  const names = "Rita Reis\r\n\r\n Davi Reis ";
  const many = await routes.post(as, `/events/${id}/seat`, { quantity: "1", names });
  expect(many.status).toBe(400);
  expect(await many.json()).toMatchObject({
    errors: { names: "Há mais nomes do que vagas. Escolha mais vagas, ou apague nomes." },
    values: { names },
  });
  expect((await routes.get(as, `/events/${id}/ingresso.pdf`)).status).toBe(404);
  await routes.post(as, `/events/${id}/seat`, { quantity: "3", names });
  const { tickets } = await routes.read<Shown>(as, `/events/${id}/ticket`);
  expect(tickets.map(({ name }) => name).toSorted()).toEqual(["Bia", "Davi Reis", "Rita Reis"]);
  const csv = await routes.get({ person: ana, isCreator: true }, `/events/${id}/people.csv`);
  expect(await csv.text()).toContain("Rita Reis");
  const pdf = await routes.get(as, `/events/${id}/ingresso.pdf`);
  expect(pdf.headers.get("Content-Type")).toBe("application/pdf");
  expect((await pdf.text()).slice(0, 5)).toBe("%PDF-");
});

test("a ticket is renamed and passed on by its forms; what is wrong stays typed", async () => {
  const [bia, caio] = [await createPerson(world.ctx, "Bia"), await createPerson(world.ctx, "Caio")];
  const id = await publishedEvent(world.ctx, ana);
  const as = { person: bia };
  await routes.post(as, `/events/${id}/seat`, { quantity: "1" });
  const shown = () => routes.read<Shown>(as, `/events/${id}/ticket`);
  const path = `/events/${id}/tickets/${(await shown()).tickets[0]?.seatId}`;
  await routes.post(as, `${path}/name`, { name: "Bia Melo" });
  expect(await shown()).toMatchObject({ tickets: [{ name: "Bia Melo" }] });
  expect((await routes.get({ person: caio }, `${path}/transfer`)).status).toBe(404);
  const wrong = await routes.post(as, `${path}/transfer`, { to: "não é ninguém" });
  expect(wrong.status).toBe(400);
  expect(await wrong.json()).toMatchObject({
    errors: { to: "Escreva um nome de usuário, como @bia, ou um e-mail." },
    values: { to: "não é ninguém" },
  });
  await routes.post(as, `${path}/transfer`, { to: `@${caio.username}` });
  expect(await shown()).toMatchObject({ tickets: [{ passingTo: `@${caio.username}` }] });
  await routes.post(as, `${path}/withdrawal`, {});
  expect(await shown()).toMatchObject({ tickets: [{ passingTo: null }] });
  await routes.post(as, `${path}/transfer`, { to: caio.username });
  const open = (await world.ctx.db.select().from(eventTransfers)).find(
    (row) => row.withdrawnAt === null,
  );
  const link = `/events/transfers/${open?.id}`;
  expect((await routes.get(as, link)).status).toBe(404);
  expect(await routes.read({ person: caio }, link)).toMatchObject({
    isOpen: true,
    giverName: "Bia",
  });
  const accepted = await routes.post({ person: caio }, link, {});
  expect(accepted.headers.get("Location")).toBe(`/events/${id}/ticket`);
  expect((await shown()).tickets).toEqual([]);
});
