import type { Context } from "#app/domain/context.ts";
import { cancelEvent, createEvent, publishEvent } from "#app/domain/events/commands.server.ts";
import { chooseTickets } from "#app/domain/events/tickets/commands/orders.server.ts";
import { createTicketKind } from "#app/domain/events/tickets/commands/ticket-kinds.server.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import { updateDates } from "#app/domain/events/series/commands.server.ts";
import { createSeries } from "#app/domain/events/series/commands/dates.server.ts";
import { seriesOf } from "#app/domain/events/series/queries.server.ts";
import { joinWaitingList, takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { startPurchase } from "#app/domain/purchases/single-purchases/commands/checkout.server.ts";
import { ticketsOf } from "#app/domain/events/queries.server.ts";
import { offerTicket } from "#app/domain/events/transfers/commands.server.ts";
import type { EventInput } from "#app/domain/events/schema.ts";
import { addDays, civilDate, HOUR_MS, instantOf, MINUTE_MS, TIME_ZONE } from "#app/domain/time.ts";
import { fans } from "#drizzle/seed/town/fans.ts";
import type { SeedCreator } from "#drizzle/seed/town/shape.ts";
import { pay } from "./subscribing.ts";
import { talkAtEvent } from "./talking.ts";
import { personOf, studioOf, unlessRefused } from "./town.ts";
import type { SeededWorld } from "./town.ts";

/** An event with what everyone leaves out: free, for everybody, without a limit. */
export const plainEvent = (
  startsAt: number,
  input: Partial<EventInput> & Pick<EventInput, "title">,
): EventInput => ({
  description: "",
  startsAt,
  endsAt: startsAt + 2 * HOUR_MS,
  timeZone: TIME_ZONE,
  place: "",
  link: null,
  linkMinutes: null,
  capacity: null,
  maxPerPerson: 1,
  refundHours: 48,
  needsApproval: false,
  access: "public",
  planIds: [],
  cover: null,
  coverAlt: "",
  removesCover: false,
  ...input,
});

/** Plans a creator's next event, online where its place says so. */
export async function announceNextEvent(
  ctx: Context,
  { creatorId, event }: { creatorId: string; event: SeedCreator["event"] },
): Promise<void> {
  const isOnline = event.place === "Ao vivo no Coreto";
  const startsAt = hourOf(dayOf(ctx.now(), event), event.hour);
  const { eventId } = await createEvent(ctx, {
    creatorId,
    ...plainEvent(startsAt, {
      title: event.title,
      place: isOnline ? "" : event.place,
      link: isOnline ? "https://encontro.exemplo.test/sala" : null,
      capacity: isOnline ? null : 40,
      maxPerPerson: isOnline ? 1 : 2,
    }),
  });
  await publishEvent(ctx, { eventId, creatorId });
}

type Special = Partial<EventInput> &
  Pick<EventInput, "title"> & {
    creator: string;
    /** From now; a fraction is hours. */
    inDays: number;
    hour?: number;
    going?: number;
    waiting?: number;
    becomes?: "draft" | "canceled";
    /** Kinds of tickets with their price (centavos), number and buyers. */
    kinds?: {
      name: string;
      price: number;
      kindCapacity: number | null;
      buyers: number;
      /** Whom the first buyer takes along, by name. */
      names?: string[];
    }[];
    /** The first buyer passes a ticket on to the username, who has not answered yet. */
    passedTo?: string;
    /** Those who come talk beside the video. */
    chat?: boolean;
  };

/** Beside each creator's next event, one for each state that a page can be in. */
const SPECIALS: Special[] = [
  {
    creator: "ana",
    title: "Oficina de rabeca: primeira arcada",
    description: "Para quem nunca pegou no arco. Temos rabecas para todo mundo.",
    place: "Rua do Sossego, 120, Recife",
    inDays: 12,
    hour: 15,
    capacity: 8,
    going: 8,
    waiting: 3,
  },
  {
    creator: "ana",
    title: "Ensaio aberto, agora",
    description: "Chegue quando puder: a gente repete o que for preciso.",
    link: "https://www.youtube.com/watch?v=aqz-KE-bpKQ",
    inDays: 0,
    capacity: 100,
    going: 5,
    chat: true,
  },
  {
    creator: "ana",
    title: "Rabeca no quintal: o disco inteiro, ao vivo",
    description:
      "O disco novo do começo ao fim, com a banda toda. A casa abre uma hora antes, e tem caldinho.",
    place: "Quintal da Rua do Sossego, 120, Recife",
    inDays: 20,
    hour: 20,
    capacity: 60,
    maxPerPerson: 4,
    refundHours: 48,
    kinds: [
      {
        name: "Inteira",
        price: 4_000,
        kindCapacity: 40,
        buyers: 4,
        names: ["Zeca do Pife", "Rita Reis"],
      },
      { name: "Meia", price: 2_000, kindCapacity: 20, buyers: 2 },
      { name: "Criança até 12 anos", price: 0, kindCapacity: null, buyers: 0 },
    ],
    passedTo: "bia",
  },
  {
    creator: "ana",
    title: "Aula de arco: as duas últimas vagas já foram",
    link: "https://encontro.exemplo.test/arco",
    inDays: 9,
    hour: 19,
    kinds: [{ name: "Aula", price: 3_500, kindCapacity: 2, buyers: 2 }],
    waiting: 2,
  },
  {
    creator: "ana",
    title: "Serenata de fim de ano",
    place: "Praça de Casa Forte, Recife",
    inDays: 30,
    hour: 20,
    going: 4,
    becomes: "canceled",
  },
  {
    creator: "ana",
    title: "Roda de verão (a confirmar)",
    place: "Recife",
    inDays: 58,
    hour: 17,
    becomes: "draft",
  },
  {
    creator: "bia",
    title: "Revisão de portfólio em grupo",
    link: "https://encontro.exemplo.test/portfolio",
    inDays: 16,
    hour: 19,
    capacity: 6,
    access: "subscribers",
  },
  {
    creator: "lia",
    title: "Amanhecer em Lisboa, ao vivo",
    link: "https://encontro.exemplo.test/lisboa",
    timeZone: "Europe/Lisbon",
    inDays: 41,
    hour: 4,
    access: "followers",
  },
];

/** Announces the special events in the town's present, and fills their seats. */
export async function announceSpecialEvents(world: SeededWorld): Promise<void> {
  const { ctx } = world.rehearsal;
  for (const special of SPECIALS) {
    const { creator, inDays, hour, going, waiting, becomes, kinds, passedTo, chat, ...input } =
      special;
    const creatorId = studioOf(world, creator).person.id;
    const startsAt =
      hour === undefined
        ? Math.floor((ctx.now() - 30 * MINUTE_MS) / MINUTE_MS) * MINUTE_MS
        : hourOf(addDays(ctx.now(), inDays), hour);
    const { eventId } = await createEvent(ctx, { creatorId, ...plainEvent(startsAt, input) });
    if (becomes !== "draft") await publishEvent(ctx, { eventId, creatorId });
    const bought = await sellTickets(world, { eventId, creatorId }, kinds ?? []);
    await fill(world, eventId, {
      going: bought + (going ?? 0),
      waiting: waiting ?? 0,
      from: bought,
    });
    if (passedTo) await passOn(world, eventId, passedTo);
    if (chat) await talkAtEvent(world, { eventId, creatorId });
    if (becomes === "canceled") await cancelEvent(ctx, { eventId, creatorId });
  }
  await announceRepeatingEvent(world);
}

/** A class every Thursday, one date of which was changed on its own. */
async function announceRepeatingEvent(world: SeededWorld): Promise<void> {
  const { ctx } = world.rehearsal;
  const creatorId = studioOf(world, "ana").person.id;
  const startsAt = hourOf(dayOf(ctx.now(), { inDays: 3, weekday: 4 }), 19);
  const { eventId } = await createSeries(ctx, {
    creatorId,
    ...plainEvent(startsAt, {
      title: "Aula aberta de rabeca, toda quinta",
      description: "Uma música por semana, do começo. Venha a todas ou só a uma.",
      link: "https://encontro.exemplo.test/quinta",
      linkMinutes: 15,
      capacity: 20,
    }),
    rule: { repeat: "weekly", weekdays: [3], until: null, times: 14 },
  });
  await publishEvent(ctx, { eventId, creatorId });
  await fill(world, eventId, { going: 6, waiting: 0, from: 0 });
  const saved = await editableEvent(ctx, { eventId, creatorId });
  const event = { id: eventId, seriesId: saved?.seriesId ?? null };
  const changed = (await seriesOf(ctx, { event, viewerId: creatorId }))?.dates[1];
  if (!changed) return;
  await updateDates(ctx, {
    ...plainEvent(changed.startsAt + HOUR_MS, {
      title: "Aula aberta de rabeca, com convidada",
      description: "Nesta semana a Cida de Goiana ensina um baiano. Começa uma hora mais tarde.",
      link: "https://encontro.exemplo.test/quinta",
      linkMinutes: 15,
      capacity: 20,
    }),
    eventId: changed.id,
    creatorId,
    revision: 0,
    scope: "one",
  });
}

/** Makes the kinds, each of whose buyers pays by Pix at once. Returns how many people bought. */
async function sellTickets(
  world: SeededWorld,
  own: { eventId: string; creatorId: string },
  kinds: NonNullable<Special["kinds"]>,
): Promise<number> {
  const { ctx } = world.rehearsal;
  const people = fans.map(({ username }) => personOf(world, username));
  let bought = 0;
  for (const { buyers, names = [], ...kind } of kinds) {
    const { kindId } = await createTicketKind(ctx, {
      ...own,
      ...kind,
      saleStartsAt: null,
      saleEndsAt: null,
    });
    for (const [at, { id, name }] of people.slice(bought, bought + buyers).entries()) {
      const along = at === 0 ? names : [];
      const tickets = { quantity: along.length + 1, names: along };
      const choice = { eventId: own.eventId, personId: id, kindId, ...tickets };
      const { orderId } = await chooseTickets(ctx, choice);
      const { chargeId } = await startPurchase(ctx, {
        memberId: id,
        memberName: name,
        kind: "event",
        targetId: orderId,
        method: "pix",
        cardToken: null,
      });
      await pay(world, chargeId);
    }
    bought += buyers;
  }
  return bought;
}

async function passOn(world: SeededWorld, eventId: string, username: string): Promise<void> {
  const { ctx } = world.rehearsal;
  const [first] = fans;
  if (!first) return;
  const giver = personOf(world, first.username);
  const tickets = await ticketsOf(ctx, { eventId, personId: giver.id });
  const passed = tickets.find(({ holderName }) => holderName !== null);
  if (passed)
    await offerTicket(ctx, {
      eventId,
      personId: giver.id,
      seatId: passed.seatId,
      to: { username },
    });
}

/** Gives seats to the first fans, and puts the next ones on the waiting list. */
export async function fill(
  world: SeededWorld,
  eventId: string,
  { going, waiting, from }: { going: number; waiting: number; from: number },
): Promise<void> {
  const { ctx } = world.rehearsal;
  const people = fans.map(({ username }) => personOf(world, username).id);
  for (const personId of people.slice(from, going))
    await unlessRefused(takeSeats(ctx, { eventId, personId, quantity: 1 }));
  for (const personId of people.slice(going, going + waiting))
    await unlessRefused(joinWaitingList(ctx, { eventId, personId, quantity: 1 }));
}

/** The instant of an hour of a day, by the clocks of São Paulo. */
export const hourOf = (day: number, hour: number): number =>
  instantOf(civilDate(day), hour * HOUR_MS);

/** The day of an event: `inDays` from now, or the first such day of the week from there. */
function dayOf(now: number, { inDays, weekday }: { inDays: number; weekday?: number }): number {
  const days = Array.from({ length: 7 }, (_, later) => addDays(now, inDays + later));
  const found = days.find((day) => {
    const { year, month, day: date } = civilDate(day);
    return new Date(Date.UTC(year, month - 1, date)).getUTCDay() === weekday;
  });
  return found ?? addDays(now, inDays);
}
