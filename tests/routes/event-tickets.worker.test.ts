import { beforeAll, expect, test } from "vitest";
import * as seat from "#app/routes/events/seats/seat.tsx";
import * as seatCancellation from "#app/routes/events/seats/seat-cancellation.tsx";
import * as event from "#app/routes/events/event.tsx";
import * as order from "#app/routes/events/tickets/order.tsx";
import * as ticketKindPage from "#app/routes/events/ticket-kinds/ticket-kind.tsx";
import * as ticketKinds from "#app/routes/events/ticket-kinds/ticket-kinds.tsx";
import * as restoration from "#app/routes/events/ticket-kinds/ticket-kind-restoration.tsx";
import * as retirement from "#app/routes/events/ticket-kinds/ticket-kind-retirement.tsx";
import * as ticket from "#app/routes/events/tickets/ticket.tsx";
import * as checkout from "#app/routes/checkout/checkout.tsx";
import { takeToast } from "#app/http/toast.server.ts";
import { SPACE_FIELD } from "#app/http/space-field.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { updateEvent } from "#app/domain/events/commands.server.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import { refundRuleText } from "#app/domain/events/rules/tickets.ts";
import * as charge from "#app/routes/checkout/charge.tsx";
import {
  eventInput,
  paidTickets,
  pendingTickets,
  publishedEvent,
  sellingEvent,
  ticketKind,
} from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";

const routes = callRoutesAs([
  { path: "events/:id", module: event },
  { path: "events/orders/:orderId", module: order },
  { path: "events/:id/ticket-kinds", module: ticketKinds },
  { path: "events/:id/ticket-kinds/:kindId", module: ticketKindPage },
  { path: "events/:id/ticket-kinds/:kindId/retirement", module: retirement },
  { path: "events/:id/ticket-kinds/:kindId/restoration", module: restoration },
  { path: "events/:id/seat", module: seat },
  { path: "events/:id/seat/cancellation", module: seatCancellation },
  { path: "events/:id/ticket", module: ticket },
  { path: "checkout", module: checkout },
  { path: "checkout/:chargeId", module: charge },
]);

let world: World;
let ana: Seller;
let fan: TestPerson;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
  fan = await createPerson(world.ctx, "Bia");
});

const kindForm = {
  name: "Inteira",
  price: "30,00",
  kindCapacity: "2",
  saleStartsAt: "",
  saleEndsAt: "",
};

const as = () => ({ person: ana, isCreator: true });

test("a creator makes, changes and retires a kind; what is wrong is said beside its field and stays typed", async () => {
  const id = await publishedEvent(world.ctx, ana);
  const path = `/events/${id}/ticket-kinds`;
  const wrong = await routes.post(as(), path, { ...kindForm, price: "trinta" });
  expect(wrong.status).toBe(400);
  expect(await wrong.json()).toMatchObject({
    errors: { price: expect.any(String) },
    values: { price: "trinta", name: "Inteira" },
  });
  expect((await routes.post(as(), path, kindForm)).status).toBe(302);
  const { kinds } = await routes.read<{ kinds: { id: string; priceCents: number }[] }>(as(), path);
  expect(kinds).toMatchObject([{ priceCents: 3_000, capacity: 2 }]);
  expect((await routes.post(as(), path, kindForm)).status).toBe(409);
  const one = `${path}/${kinds[0]?.id}`;
  expect(await routes.read(as(), one)).toMatchObject({ values: { price: "30,00" } });
  expect((await routes.post(as(), one, { ...kindForm, price: "40" })).status).toBe(302);
  expect((await routes.get({ person: fan }, path)).status).not.toBe(200);
  expect((await routes.post(as(), `${one}/retirement`, {})).status).toBe(302);
  expect((await routes.get(as(), one)).status).toBe(404);
});

test("a kind leaves the sale of a published event with a way back", async () => {
  const { eventId, kindId } = await sellingEvent(world.ctx, ana);
  const one = `/events/${eventId}/ticket-kinds/${kindId}`;
  const retired = await routes.post(as(), `${one}/retirement`, {});
  const { toast } = await takeToast(
    new Request("https://coreto.test", {
      headers: { Cookie: retired.headers.get("Set-Cookie") ?? "" },
    }),
  );
  expect(toast?.undo).toBe(`${one}/restoration`);
  expect((await routes.post(as(), `${one}/restoration`, {})).status).toBe(302);
  expect((await routes.get(as(), one)).status).toBe(200);
  // Taken back already: the page says so.
  expect((await routes.post(as(), `${one}/restoration`, {})).status).toBe(404);
});

test("prices are set by who sets those of plans, not by everybody who runs events", async () => {
  const creator = await createSeller(world.ctx);
  const team = await createTeamFor(world.ctx, creator);
  const member = await createTeammate(world.ctx, team, "basic_member");
  const id = await publishedEvent(world.ctx, creator);
  const caller = { person: member, teamId: team.teamId };
  expect((await routes.get(caller, `/events/${id}/ticket-kinds`)).status).toBe(403);
  expect((await routes.post(caller, `/events/${id}/ticket-kinds`, kindForm)).status).toBe(403);
  const kindId = await ticketKind(world.ctx, id, creator);
  const retiring = `/events/${id}/ticket-kinds/${kindId}/retirement`;
  expect((await routes.get(caller, retiring)).status).toBe(403);
  const named = { [SPACE_FIELD]: creator.id };
  expect((await routes.post(caller, retiring, named)).status).toBe(403);
});

test("a paid kind leads to its checkout, a free one to the ticket, and none is refused with a sentence", async () => {
  const { eventId, kindId } = await sellingEvent(world.ctx, ana, { maxPerPerson: 2 });
  const free = await ticketKind(world.ctx, eventId, ana, { name: "Criança", price: 0 });
  const path = `/events/${eventId}/seat`;
  const none = await routes.post({ person: fan }, path, { quantity: "1" });
  expect(none.status).toBe(400);
  expect(await none.text()).toContain("Escolha um tipo de ingresso.");
  const paid = await routes.post({ person: fan }, path, { quantity: "1", kindId });
  const checkoutPath = paid.headers.get("Location") ?? "";
  expect(checkoutPath).toMatch(/^\/checkout\?event=[0-9a-f]{32}$/);
  expect(await routes.read({ person: fan }, checkoutPath)).toMatchObject({
    what: "Evento “Roda de rabeca, 1 × Inteira”, de Ana Lira",
    todayCents: 3_000,
    obstacle: null,
  });
  const stranger = await createPerson(world.ctx, "Caio");
  expect((await routes.get({ person: stranger }, checkoutPath)).status).toBe(404);
  const taken = await routes.post({ person: fan }, path, { quantity: "1", kindId: free });
  expect(taken.headers.get("Location")).toBe(`/events/${eventId}/ticket`);
});

test("a purchase leads to its tickets, and who cancels reads what comes back", async () => {
  const buyer = await createPerson(world.ctx, "Dora");
  const { eventId, kindId } = await sellingEvent(world.ctx, ana);
  const { orderId } = await paidTickets(world, buyer, { eventId, kindId });
  const led = await routes.get({ person: buyer }, `/events/orders/${orderId}`);
  expect(led.headers.get("Location")).toBe(`/events/${eventId}/ticket`);
  expect((await routes.get({ person: fan }, `/events/orders/${orderId}`)).status).toBe(404);
  const path = `/events/${eventId}/seat/cancellation`;
  expect(await routes.read({ person: buyer }, path)).toMatchObject({
    tickets: [{ refund: { cents: 3_000 } }],
  });
  const canceled = await routes.post({ person: buyer }, path, {});
  expect(canceled.status).toBe(302);
  expect(await routes.read({ person: buyer }, `/events/${eventId}`)).toMatchObject({
    event: { ownSeats: 0, seatsTaken: 0 },
  });
});

test("a buyer reads the refund rule before paying, and keeps it when the creator changes it", async () => {
  const { ctx } = world;
  const buyer = await createPerson(ctx, "Eva");
  const tickets = await sellingEvent(ctx, ana, { refundHours: 24 });
  const { eventId } = tickets;
  const rule = refundRuleText(24);
  const chosen = await pendingTickets(world, buyer, tickets);
  expect(await routes.read({ person: buyer }, `/checkout?event=${chosen.orderId}`)).toMatchObject({
    summary: { refundText: rule },
  });
  expect(await routes.read({ person: buyer }, `/checkout/${chosen.chargeId}`)).toMatchObject({
    refundText: rule,
  });
  await payAtBank(world, chosen);
  await world.drain();
  const saved = await editableEvent(ctx, { eventId, creatorId: ana.id });
  if (!saved) throw new Error("no event");
  const { startsAt, endsAt, revision } = saved;
  const changed = eventInput(ctx, { startsAt, endsAt, refundHours: null });
  await updateEvent(ctx, { eventId, creatorId: ana.id, revision, ...changed });
  expect(await routes.read({ person: buyer }, `/events/${eventId}/ticket`)).toMatchObject({
    refundTexts: [rule],
  });
  expect(
    await routes.read({ person: buyer }, `/events/${eventId}/seat/cancellation`),
  ).toMatchObject({ tickets: [{ refund: { ruleText: rule } }] });
});
