import { and, eq, sql } from "drizzle-orm";
import { commit, guardStatement, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite } from "#app/db/errors.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { eventListableTo, eventOpenTo } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  answersStatements,
  refuseUnanswered,
} from "#app/domain/events/questions/commands/answers.server.ts";
import { nameOf } from "#app/domain/events/commands/change-notices.server.ts";
import { livingEvent } from "#app/domain/events/dates/commands/living.server.ts";
import { eventToChooseAt, seatStatements } from "#app/domain/events/seats/commands.server.ts";
import type { SeatChoice } from "#app/domain/events/seats/commands.server.ts";
import { offerStatement } from "#app/domain/events/waiting-list/commands.server.ts";
import { NoSeat, NoTicketKind } from "#app/domain/events/errors.ts";
import { eventFor } from "#app/domain/events/queries.server.ts";
import {
  CannotApprove,
  CannotRequest,
  NoSeatForRequest,
  RequestNotFound,
  RequestsEnded,
  TooManyRequests,
} from "./errors.ts";
import { openRequest } from "./queries.server.ts";
import { requestProblem } from "./rules.ts";
import { offerEnd, seatProblem } from "#app/domain/events/rules.ts";
import type { SeatProblem } from "#app/domain/events/rules.ts";
import { kindProblem } from "#app/domain/events/rules/tickets.ts";
import type { KindProblem, TicketKind } from "#app/domain/events/rules/tickets.ts";
import type { EventView } from "#app/domain/events/schema.ts";
import type { EventMessage } from "#app/domain/events/schema/outbox.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import { countAction } from "#app/domain/rate-limits/commands.server.ts";
import type { RateLimit } from "#app/domain/rate-limits/schema.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { eventAnswers, eventRequests } from "#drizzle/schema/events-people.ts";

const REQUESTS: readonly RateLimit[] = [{ windowMs: HOUR_MS, limit: 30 }];

type PersonAtEvent = { eventId: string; personId: string };
type OwnRequest = PersonAtEvent & { creatorId: string; reply?: string };

/**
 * Asks for seats at an event whose creator approves each request, and tells the creator of a new
 * one. It holds no seat. Asked again while it waits, it keeps its place and takes the new content.
 * Refuses EventNotFound, CannotRequest with its reason, NoTicketKind, NoSeat for a kind that is not
 * on sale, QuestionUnanswered, PaymentIsRunning and TooManyRequests (30 an hour).
 */
export async function requestSeats(
  ctx: Context,
  { quantity, kindId = null, names = [], answers = [], ...who }: SeatChoice,
): Promise<void> {
  const { eventId, personId } = who;
  const counted = { act: "event.request", personId, limits: REQUESTS };
  await countAction(ctx, counted, () => new TooManyRequests());
  await retryOnConflict(async () => {
    const event = await eventToChooseAt(ctx, who);
    const problem = requestProblem(event, quantity, ctx.now());
    if (problem) throw new CannotRequest(problem);
    const kind = askedKind(event, kindId);
    const kindIs = kind && kindProblem({ ...kind, capacity: null }, quantity, ctx.now());
    if (kindIs) throw new NoSeat(kindIs);
    refuseUnanswered(event.questions, answers);
    const answered = answersStatements(ctx, { ...who, answers });
    const { answersId } = answered;
    const name = (await profileOfPerson(ctx, { personId }))?.name ?? "";
    const content = { quantity, ticketKindId: kindId, names: [...names], answersId };
    const isWaiting = sql`${eventRequests.status} = 'waiting'`;
    await commit(ctx.db, [
      guardStatement(
        ctx.db,
        sql`EXISTS (SELECT 1 FROM events WHERE events.id = ${eventId} AND events.status = 'published' AND events.starts_at > ${ctx.now()} AND events.needs_approval = 1
          AND ${eventListableTo(personId, ctx.settings.adultSpaces)} AND ${eventOpenTo(personId, ctx.now())})`,
      ),
      formerAnswersStatement(ctx, who),
      ...answered.writes,
      mustChangeOne(
        ctx.db
          .insert(eventRequests)
          .values({ ...who, ...content, status: "waiting", requestedAt: ctx.now() })
          .onConflictDoUpdate({
            target: [eventRequests.eventId, eventRequests.personId],
            set: {
              ...content,
              status: "waiting",
              requestedAt: sql`iif(${isWaiting}, ${eventRequests.requestedAt}, CAST(${ctx.now()} AS INTEGER))`,
              decidedAt: null,
              reply: "",
            },
            setWhere: sql`${eventRequests.status} <> 'refused'`,
          }),
      ),
      ...(event.request?.status === "waiting"
        ? []
        : [askedNotice(ctx, event, { ...who, name }, quantity)]),
    ]);
  });
}

/** The kind that a person asks for; null where the event has none. */
function askedKind({ hasKinds, ticketKinds }: EventView, kindId: string | null): TicketKind | null {
  if (!hasKinds && kindId === null) return null;
  const kind = ticketKinds.find(({ id }) => id === kindId);
  if (!kind) throw new NoTicketKind();
  return kind;
}

/** The answers of a request that waits go with it; those of an approved one are of its seats. */
const formerAnswersStatement = (ctx: Context, { eventId, personId }: PersonAtEvent): BatchWrite =>
  ctx.db
    .delete(eventAnswers)
    .where(
      sql`${eventAnswers.id} = (SELECT former.answers_id FROM event_requests former WHERE former.event_id = ${eventId} AND former.person_id = ${personId} AND former.status = 'waiting')`,
    );

function askedNotice(
  ctx: Context,
  event: EventView,
  { eventId, personId, name }: PersonAtEvent & { name: string },
  quantity: number,
): BatchWrite {
  return announce<EventMessage>(ctx, `event:${eventId}:requested:${personId}:${ctx.now()}`, {
    type: "event.seat_requested",
    personId: event.creatorId,
    eventId,
    eventTitle: event.title,
    creatorId: event.creatorId,
    creatorName: event.creatorName,
    requesterId: personId,
    requesterName: name,
    quantity,
  });
}

/** Withdraws a person's request that waits, with its answers. Safe to repeat. */
export async function withdrawRequest(ctx: Context, who: PersonAtEvent): Promise<void> {
  await commit(ctx.db, [
    formerAnswersStatement(ctx, who),
    ctx.db
      .delete(eventRequests)
      .where(
        and(
          eq(eventRequests.eventId, who.eventId),
          eq(eventRequests.personId, who.personId),
          eq(eventRequests.status, "waiting"),
        ),
      ),
  ]);
}

/**
 * Approves a request, also one that was refused: gives its free seats, or for a kind with a price
 * an offer to buy them that lives 12 hours, or until the start. Tells the person. Refuses
 * EventNotFound, EventCanceled, RequestsEnded after the start, RequestNotFound, NoSeatForRequest
 * and CannotApprove.
 *
 * INVARIANT: seats taken, held and offered are never more than the capacity: the same conditions
 * and triggers as of `takeSeats` and of the waiting list decide in the batch.
 */
export async function approveRequest(
  ctx: Context,
  { creatorId, reply = "", ...who }: OwnRequest,
): Promise<void> {
  await retryOnConflict(async () => {
    const saved = await livingEvent(ctx, { eventId: who.eventId, creatorId });
    if (saved.startsAt <= ctx.now()) throw new RequestsEnded();
    const request = await openRequest(ctx, who);
    if (!request) throw new RequestNotFound();
    const event = await eventFor(ctx, { eventId: who.eventId, viewerId: who.personId });
    if (!event?.isOpen || event.payment) throw new CannotApprove();
    const { quantity, ticketKindId: kindId, names, answersId } = request;
    const kind = event.ticketKinds.find(({ id }) => id === kindId);
    if (event.hasKinds !== (kind !== undefined)) throw new CannotApprove();
    refuseProblem(
      seatProblem({ ...event, needsApproval: false, waitingCount: 0 }, quantity, ctx.now()) ??
        (kind ? kindProblem(kind, quantity, ctx.now()) : null),
    );
    const isPaid = kind !== undefined && kind.priceCents > 0;
    const offerEndsAt = isPaid ? offerEnd(event.startsAt, ctx.now()) : null;
    const given =
      offerEndsAt === null
        ? seatStatements(ctx, event, {
            ...who,
            quantity,
            kindId,
            names,
            answersId,
            isApproved: true,
          })
        : [offerStatement(ctx, { ...who, quantity, offerEndsAt })];
    try {
      await commit(ctx.db, [
        decisionStatement(ctx, who, { from: request.status, to: "approved", reply }),
        ...given,
        announce<EventMessage>(ctx, `event:${who.eventId}:approved:${who.personId}:${ctx.now()}`, {
          type: "event.request_approved",
          ...about(event, who),
          startsAt: event.startsAt,
          timeZone: event.timeZone,
          quantity,
          reply,
          offerEndsAt,
        }),
      ]);
    } catch (error) {
      throw error instanceof RuleViolation && error.rule === "event_full"
        ? new StaleWrite()
        : error;
    }
  });
}

function refuseProblem(problem: SeatProblem | KindProblem | null): void {
  if (problem === null) return;
  const isFull = ["full", "few", "queue", "kind_few"].includes(problem);
  throw isFull ? new NoSeatForRequest() : new CannotApprove();
}

/**
 * Refuses a request that waits, and tells the person, with the creator's words if there are any.
 * Refuses EventNotFound, EventCanceled, EventOver and RequestNotFound.
 */
export async function refuseRequest(
  ctx: Context,
  { creatorId, reply = "", ...who }: OwnRequest,
): Promise<void> {
  const saved = await livingEvent(ctx, { eventId: who.eventId, creatorId });
  const creatorName = await nameOf(ctx, { creatorId });
  try {
    await commit(ctx.db, [
      decisionStatement(ctx, who, { from: "waiting", to: "refused", reply }),
      announce<EventMessage>(ctx, `event:${who.eventId}:refused:${who.personId}:${ctx.now()}`, {
        type: "event.request_refused",
        ...about({ ...saved, creatorId, creatorName }, who),
        reply,
      }),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? new RequestNotFound() : error;
  }
}

const about = (
  { title, creatorId, creatorName }: Pick<EventView, "title" | "creatorId" | "creatorName">,
  who: PersonAtEvent,
) => ({ ...who, eventTitle: title, creatorId, creatorName });

function decisionStatement(
  ctx: Context,
  { eventId, personId }: PersonAtEvent,
  { from, to, reply }: { from: string; to: "approved" | "refused"; reply: string },
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(eventRequests)
      .set({ status: to, reply, decidedAt: ctx.now() })
      .where(
        and(
          eq(eventRequests.eventId, eventId),
          eq(eventRequests.personId, personId),
          sql`${eventRequests.status} = ${from}`,
        ),
      ),
  );
}
