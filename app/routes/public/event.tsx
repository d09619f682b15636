import { redirect } from "react-router";
import { AddToCalendar } from "#app/components/events/calendar/add-to-calendar.tsx";
import { EventBadges } from "#app/components/events/event-badges.tsx";
import { EventCover } from "#app/components/events/event-cover.tsx";
import { EventPlace } from "#app/components/events/event-line.tsx";
import { EventText } from "#app/components/events/event-text.tsx";
import { EventTimes } from "#app/components/events/event-times.tsx";
import { SeriesDates } from "#app/components/events/series/series-dates.tsx";
import { ShareLink } from "#app/components/posts/sharing/share-link.tsx";
import { ErrorPage } from "#app/components/shell/errors/error-page.tsx";
import { useMarkedPath } from "#app/components/shell/navigation/use-marked-path.ts";
import { ReportLink } from "#app/components/reports/report-link.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { eventFor } from "#app/domain/events/queries.server.ts";
import { publicEventPath } from "#app/domain/events/rules.ts";
import { refundRuleText } from "#app/domain/events/rules/tickets.ts";
import { seriesOf } from "#app/domain/events/series/queries.server.ts";
import { formatMoney } from "#app/domain/money.ts";
import { profileFor } from "#app/domain/profiles/queries.server.ts";
import { foundOrAgeGate } from "#app/http/age-gate.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { activeMark } from "#app/http/public-pages/active-mark.server.ts";
import { eventMeta } from "#app/http/public-pages/event-meta.ts";
import { notFoundMeta } from "#app/http/public-pages/public-meta.ts";
import { loginPath } from "#app/lib/own-path.ts";
import { calendarUrls, EVENT_MISSING } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/event.ts";

/**
 * Loads an event as every visitor sees it, without its link. Reads no session, so that the edge can
 * cache it.
 */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { appOrigin: origin } = ctx.settings;
  const event = await foundOrAgeGate(
    ctx,
    await eventFor(ctx, { eventId: params.id, viewerId: null }),
    EVENT_MISSING,
    { kind: "page", id: params.username, viewer: null },
  );
  const path = publicEventPath(event.creatorUsername, event.id);
  // Usernames change. The redirect updates the address in search engines.
  if (event.creatorUsername !== params.username) throw redirect(path, 301);
  await activeMark(ctx, request, { creatorId: event.creatorId });
  const creator = await foundOrAgeGate(
    ctx,
    await profileFor(ctx, { key: event.creatorId, viewerId: null }),
    EVENT_MISSING,
    { kind: "page", id: params.username, viewer: null },
  );
  const pageUrl = origin + path;
  return {
    event,
    creator,
    origin,
    pageUrl,
    now: ctx.now(),
    series: await seriesOf(ctx, { event, viewerId: null }),
    calendar: calendarUrls(event, { fileUrl: `${path}/agenda.ics`, pageUrl }),
  };
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData ? eventMeta(loaderData) : notFoundMeta("Evento não encontrado");

export default function PublicEvent({ loaderData }: Route.ComponentProps) {
  const { event, now, pageUrl, series, calendar } = loaderData;
  const marked = useMarkedPath();
  const space = marked(`/space/${event.creatorUsername}/public`);
  const isOpen = event.status === "published" && event.endsAt > now;
  return (
    <article className="mx-auto flex w-full max-w-[672px] flex-col gap-4 px-4 py-8">
      <EventCover event={event} />
      <header className="flex flex-col gap-2">
        <div className="flex flex-wrap gap-2">
          <EventBadges event={event} now={now} />
        </div>
        <h1 className="text-title">{event.title}</h1>
        <a
          href={space}
          className="inline-flex min-h-11 items-center self-start font-semibold text-leaf hover:underline"
        >
          {event.creatorName}
        </a>
        <EventTimes startsAt={event.startsAt} endsAt={event.endsAt} timeZone={event.timeZone} />
        <EventPlace place={event.place} />
      </header>
      {isOpen ? (
        <Card as="section" label="Sua vaga" className="flex flex-col items-start gap-3 p-5">
          <p>
            {event.access === "public"
              ? "Para pegar uma vaga, entre com a sua conta."
              : `Este evento é para ${event.access === "followers" ? "quem segue" : "quem assina"} ${event.creatorName}.`}
          </p>
          {event.needsApproval ? (
            <p>A vaga é pedida: {event.creatorName} responde a cada pedido.</p>
          ) : null}
          <PublicKinds kinds={event.ticketKinds} />
          {event.isPaid ? (
            <p className="text-small text-muted">{refundRuleText(event.refundHours)}</p>
          ) : null}
          {event.isOffSale ? (
            <p className="font-medium">Os ingressos não estão mais à venda.</p>
          ) : (
            <ButtonLink to={loginPath(marked(`/events/${event.id}`))} reloadDocument size="lg">
              {event.needsApproval ? "Pedir vaga" : event.hasKinds ? "Escolher ingresso" : "Vou"}
            </ButtonLink>
          )}
        </Card>
      ) : null}
      <EventText text={event.description} />
      <SeriesDates
        series={series}
        pathOf={(id) => marked(publicEventPath(event.creatorUsername, id))}
        isPublic
      />
      {isOpen ? <AddToCalendar {...calendar} isPublic /> : null}
      <div className="flex flex-wrap items-center gap-4">
        <ShareLink title={event.title} url={pageUrl} />
        <ReportLink to={`/report/event/${event.id}`} of={event.title} />
      </div>
      <ButtonLink to={space} reloadDocument variant="outline" className="self-start">
        Mais de {event.creatorName}
      </ButtonLink>
    </article>
  );
}

/** The kinds of tickets with their prices. */
function PublicKinds({ kinds }: { kinds: { id: string; name: string; priceCents: number }[] }) {
  if (kinds.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1">
      {kinds.map(({ id, name, priceCents }) => (
        <li key={id} className="font-semibold">
          {name}: {priceCents === 0 ? "grátis" : formatMoney(priceCents)}
        </li>
      ))}
    </ul>
  );
}

/** Shows the error inside the public layout. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <div className="px-4">
      <ErrorPage error={error} />
    </div>
  );
}
