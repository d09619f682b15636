import { LiveVideoFrame } from "#app/components/events/live-video.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { liveEvent } from "#app/domain/events/queries/live.server.ts";
import { liveOpensAt, PROVIDER_NAMES } from "#app/domain/events/rules/live.ts";
import type { LiveState } from "#app/domain/events/rules/live.ts";
import { eventMomentText, zoneText } from "#app/domain/events/rules/times.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { EVENT_MISSING } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/live.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  {
    title: loaderData
      ? `Ao vivo: ${loaderData.event.title} · Coreto`
      : "Evento não encontrado · Coreto",
  },
];

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { video, ...event } = foundOr404(
    await liveEvent(context.get(domainContext), {
      eventId: params.id,
      viewerId: context.get(memberContext).id,
    }),
    EVENT_MISSING,
  );
  return {
    event,
    // Only the provider's name: the address stays with the player's page.
    providerName: video ? PROVIDER_NAMES[video.provider] : null,
    isVideoAsked: url.searchParams.get("video") === "1",
  };
}

/** The live video of an event, for who has a seat. */
export default function Live({ loaderData }: Route.ComponentProps) {
  const { event, providerName, isVideoAsked } = loaderData;
  const path = `/events/${event.id}`;
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={event.title} lead={`Ao vivo, com ${event.creatorName}`}>
        <ButtonLink to={path} variant="outline" size="sm">
          Ver o evento
        </ButtonLink>
      </PageHeader>
      {providerName === null ? (
        <ClosedLive event={event} />
      ) : (
        <LiveVideoFrame
          key={event.id}
          eventId={event.id}
          providerName={providerName}
          isAsked={isVideoAsked}
        />
      )}
    </div>
  );
}

type LiveData = Route.ComponentProps["loaderData"]["event"];

/** Says why the video is not shown. */
function ClosedLive({ event: { id, state, startsAt, timeZone } }: { event: LiveData }) {
  const opensAt = liveOpensAt(startsAt);
  const texts: Record<LiveState, [title: string, text: string]> = {
    open: ["O vídeo não está aberto", "Recarregue a página."],
    early: [
      "Ainda não começou",
      `O vídeo abre aqui 15 minutos antes do começo: ${eventMomentText(opensAt, timeZone)}, ${zoneText(opensAt, timeZone)}.`,
    ],
    over: ["Este evento já terminou", "O vídeo ao vivo fica aberto até o fim do evento."],
    canceled: ["Este evento foi cancelado", "Não há vídeo ao vivo."],
    no_seat: ["O vídeo é de quem tem vaga", "Pegue uma vaga na página do evento para assistir."],
    no_video: [
      "Este evento não tem vídeo nesta página",
      "O lugar, ou o link de quem tem vaga, está na página do evento.",
    ],
  };
  const [title, text] = texts[state];
  return (
    <EmptyState title={title} action={<ButtonLink to={`/events/${id}`}>Ver o evento</ButtonLink>}>
      {text}
    </EmptyState>
  );
}
