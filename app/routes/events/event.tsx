import { Link } from "react-router";
import { AddToCalendar } from "#app/components/events/calendar/add-to-calendar.tsx";
import { EventBadges } from "#app/components/events/event-badges.tsx";
import { EventCover } from "#app/components/events/event-cover.tsx";
import { EventPlace } from "#app/components/events/event-line.tsx";
import { EventText } from "#app/components/events/event-text.tsx";
import { EventTimes } from "#app/components/events/event-times.tsx";
import { RecordingTools } from "#app/components/events/live/recording-tools.tsx";
import { SeatPanel } from "#app/components/events/seats/seat-panel.tsx";
import { SeriesDates } from "#app/components/events/series/series-dates.tsx";
import { ShareLink } from "#app/components/posts/sharing/share-link.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { linkOpensText } from "#app/domain/events/rules/link.ts";
import { isChangeable, publicEventPath } from "#app/domain/events/rules.ts";
import { liveVideo } from "#app/domain/events/live/rules.ts";
import { hasRecording, recordingAudience } from "#app/domain/events/live/rules/recording.ts";
import { refundRuleText } from "#app/domain/events/rules/tickets.ts";
import { waitingRequests } from "#app/domain/events/requests/queries.server.ts";
import { isTurnedDown } from "#app/domain/events/requests/rules.ts";
import { seriesOf } from "#app/domain/events/series/queries.server.ts";
import { counted } from "#app/domain/text.ts";
import { actorContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { calendarUrls, memberEvent } from "./event-page.server.ts";
import { recordingPost } from "./live/recording-post.server.ts";
import type { Route } from "./+types/event.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? `${loaderData.event.title} · Coreto` : "Evento não encontrado · Coreto" },
];

/** Loads an event with what the member can do about it. */
export async function loader(args: Route.LoaderArgs) {
  const ctx = args.context.get(domainContext);
  const event = await memberEvent(args);
  const actor = args.context.get(actorContext);
  const pageUrl = ctx.settings.appOrigin + publicEventPath(event.creatorUsername, event.id);
  const runsIt = actor.space.personId === event.creatorId && actor.may("events:manage");
  return {
    event,
    now: ctx.now(),
    pageUrl,
    runsIt,
    requests: runsIt ? await waitingRequests(ctx, { eventId: event.id }) : 0,
    isChangeable: isChangeable(event, ctx.now()),
    mayPrice: actor.may("plans:edit"),
    recording:
      runsIt && actor.may("posts:publish") && hasRecording(event, ctx.now())
        ? {
            ...(await recordingPost(ctx, { eventId: event.id, creatorId: event.creatorId })),
            audience: recordingAudience(event),
          }
        : null,
    series: await seriesOf(ctx, { event, viewerId: args.context.get(memberContext).id }),
    isWatchable:
      liveVideo(event.link) !== null && event.status !== "canceled" && event.endsAt > ctx.now(),
    calendar:
      event.status === "draft" || !isChangeable(event, ctx.now()) || isTurnedDown(event)
        ? null
        : calendarUrls(event, { fileUrl: `/events/${event.id}/agenda.ics`, pageUrl }),
  };
}

export default function EventPage({ loaderData }: Route.ComponentProps) {
  const { event, now, pageUrl, runsIt, series, isWatchable, calendar } = loaderData;
  return (
    <article className="flex flex-col gap-4">
      <EventCover event={event} />
      <header className="flex flex-col gap-2">
        <div className="flex flex-wrap gap-2">
          <EventBadges event={event} now={now} />
        </div>
        <h1 className="text-title">{event.title}</h1>
        <Link
          to={`/space/${event.creatorUsername}`}
          className="inline-flex min-h-11 items-center self-start font-semibold text-leaf hover:underline"
        >
          {event.creatorName}
        </Link>
        <EventTimes startsAt={event.startsAt} endsAt={event.endsAt} timeZone={event.timeZone} />
        <EventPlace place={event.place} />
        {event.place !== "" && event.isOnline && !isTurnedDown(event) ? (
          <p className="text-small text-muted">
            {event.linkOpensAt === null
              ? "Também on-line: o link aparece para quem tem vaga."
              : `Também on-line. ${linkOpensText(event.linkOpensAt, event.timeZone)}`}
          </p>
        ) : null}
      </header>
      {event.heldAt === null ? null : (
        <p className="rounded-field bg-refusal-soft px-4 py-3 font-medium text-refusal">
          {runsIt
            ? "A moderação escondeu este evento. Quem tem vaga ainda o vê; mais ninguém pega vaga. Você pode recorrer pelo aviso que recebeu."
            : "A moderação escondeu este evento. O seu ingresso continua valendo, e você pode cancelar a vaga."}
        </p>
      )}
      {isWatchable ? (
        <ButtonLink to={`/events/${event.id}/live`} className="self-start">
          Assistir ao vivo
        </ButtonLink>
      ) : null}
      {runsIt ? <Tools {...loaderData} /> : <SeatPanel event={event} now={now} />}
      {event.isPaid && !isTurnedDown(event) ? (
        <p className="text-small text-muted">{refundRuleText(event.refundHours)}</p>
      ) : null}
      <EventText text={event.description} />
      <SeriesDates series={series} pathOf={(id) => `/events/${id}`} />
      {calendar ? <AddToCalendar {...calendar} /> : null}
      {event.status === "draft" ? null : (
        <div className="flex flex-wrap items-center gap-4">
          <ShareLink title={event.title} url={pageUrl} />
          {runsIt ? null : (
            <Link
              to={`/report/event/${event.id}`}
              className="inline-flex min-h-11 items-center text-small text-muted hover:text-ink hover:underline"
            >
              Denunciar<span className="sr-only">: {event.title}</span>
            </Link>
          )}
        </div>
      )}
    </article>
  );
}

type EventData = Pick<
  Route.ComponentProps["loaderData"],
  "event" | "requests" | "isChangeable" | "mayPrice" | "recording"
>;

/** What the people who run the event do with it. */
function Tools({ event, requests, isChangeable: mayChange, mayPrice, recording }: EventData) {
  const path = `/events/${event.id}`;
  const isDraft = event.status === "draft";
  return (
    <Card as="section" label="O seu evento" className="flex flex-col gap-3 p-5">
      <p className="font-semibold">
        {counted(event.seatsTaken, "vaga ocupada", "vagas ocupadas")}
        {event.capacity === null ? "" : ` de ${event.capacity}`}
        {event.waitingCount > 0
          ? `, e ${counted(event.waitingCount, "pessoa na fila", "pessoas na fila")}`
          : ""}
        .
      </p>
      {recording ? <RecordingTools recording={recording} eventId={event.id} /> : null}
      <div className="flex flex-wrap gap-2">
        {isDraft ? <ButtonLink to={`${path}/publication`}>Publicar evento</ButtonLink> : null}
        {mayChange ? (
          <ButtonLink to={`${path}/edit`} variant="outline">
            Editar
          </ButtonLink>
        ) : null}
        {event.status === "canceled" || !mayPrice ? null : (
          <ButtonLink to={`${path}/ticket-kinds`} variant="outline">
            Ingressos
          </ButtonLink>
        )}
        {mayChange ? (
          <ButtonLink to={`${path}/questions`} variant="outline">
            Perguntas
          </ButtonLink>
        ) : null}
        {requests > 0 || (event.needsApproval && !isDraft) ? (
          <ButtonLink to={`${path}/requests`} variant="outline">
            {requests === 0
              ? "Pedidos de vaga"
              : counted(requests, "pedido de vaga", "pedidos de vaga")}
          </ButtonLink>
        ) : null}
        {isDraft ? null : (
          <ButtonLink to={`${path}/people`} variant="outline">
            Quem vai
          </ButtonLink>
        )}
        {event.status === "published" ? (
          <ButtonLink to={`${path}/door`} variant="outline">
            Portaria
          </ButtonLink>
        ) : null}
      </div>
    </Card>
  );
}
