import { redirect } from "react-router";
import { chatPath } from "#app/components/event-chat/chat-path.ts";
import { EventChat } from "#app/components/event-chat/event-chat.tsx";
import { LiveVideoFrame } from "#app/components/events/live/live-video.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import type { Context } from "#app/domain/context.ts";
import { sendChatMessage } from "#app/domain/event-chat/commands.server.ts";
import { chatMessage, eventWithChat } from "#app/domain/event-chat/queries.server.ts";
import { CHAT_PAGE } from "#app/domain/event-chat/rules.ts";
import { chatMessageSchema } from "#app/domain/event-chat/schema.ts";
import { liveOpensAt, PROVIDER_NAMES } from "#app/domain/events/live/rules.ts";
import type { LiveState } from "#app/domain/events/live/rules.ts";
import { eventMomentText, zoneText } from "#app/domain/events/times/rules.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { withTypedOnOffline } from "#app/http/offline-action.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { EVENT_MISSING } from "#app/routes/events/event-page.server.ts";
import { chatAround, numberOf } from "./chat-page.server.ts";
import type { Route } from "./+types/live.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  {
    title: loaderData
      ? `Ao vivo: ${loaderData.event.title} · Coreto`
      : "Evento não encontrado · Coreto",
  },
];

/** Video and chat beside each other need the width. */
export const handle = { shell: "wide" };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const viewerId = context.get(memberContext).id;
  const before = numberOf(url.searchParams.get("before"));
  const found = foundOr404(
    await eventWithChat(ctx, {
      eventId: params.id,
      viewerId,
      limit: CHAT_PAGE,
      ...(before === null ? {} : { before }),
    }),
    EVENT_MISSING,
  );
  const { video, ...event } = found.event;
  const { state, messages, revision } = found.chat;
  return {
    event,
    // Only the provider's name: the address stays with the player's page.
    providerName: video ? PROVIDER_NAMES[video.provider] : null,
    isVideoAsked: isVideoAsked(url),
    chat:
      state === "none"
        ? null
        : {
            id: event.id,
            account: viewerId,
            isVideoAsked: isVideoAsked(url),
            mayModerate: event.runsIt,
            revision,
            messages,
            isLatest: before === null,
            earlier: messages.length === CHAT_PAGE ? (messages[0]?.seq ?? null) : null,
            replyTo: await answeredMessage(ctx, {
              eventId: event.id,
              viewerId,
              seq: numberOf(url.searchParams.get("reply")),
            }),
            clientMessageId: ctx.newId(),
            now: ctx.now(),
            ...(await chatAround(ctx, { eventId: event.id, state })),
          },
  };
}

const isVideoAsked = (url: URL): boolean => url.searchParams.get("video") === "1";

/** The message that the form answers; null without one, and for one that is not there. */
async function answeredMessage(
  ctx: Context,
  { seq, ...of }: { eventId: string; viewerId: string; seq: number | null },
): Promise<{ seq: number; text: string } | null> {
  const found = seq === null ? null : await chatMessage(ctx, { ...of, seq });
  return found && !found.message.isDeleted
    ? { seq: found.message.seq, text: found.message.text }
    : null;
}

/** Sends a message of the chat as a page. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  return await handleForm(request, chatMessageSchema, async ({ replyTo, ...message }) => {
    await sendChatMessage(context.get(domainContext), {
      eventId: params.id,
      personId: context.get(memberContext).id,
      ...message,
      replyToSeq: replyTo,
    });
    const here = chatPath({ id: params.id, isVideoAsked: isVideoAsked(url) });
    return redirect(`${here}#fim`, 303);
  });
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return await withTypedOnOffline(request, serverAction);
}

/** The live video of an event and its chat, for who has a seat. */
export default function Live({ loaderData, actionData }: Route.ComponentProps) {
  const { event, providerName, chat } = loaderData;
  const path = `/events/${event.id}`;
  const problem = actionData && "errors" in actionData ? actionData : undefined;
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={event.title} lead={`Ao vivo, com ${event.creatorName}`}>
        <ButtonLink to={path} variant="outline" size="sm">
          Ver o evento
        </ButtonLink>
      </PageHeader>
      <div
        className={
          chat
            ? "grid gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(18rem,24rem)] lg:items-start lg:gap-6"
            : ""
        }
      >
        {providerName === null ? (
          <ClosedLive event={event} />
        ) : (
          <LiveVideoFrame
            key={event.id}
            eventId={event.id}
            providerName={providerName}
            isAsked={loaderData.isVideoAsked}
          />
        )}
        {chat ? (
          <EventChat
            key={`${chat.id} ${chat.isLatest ? "" : chat.messages[0]?.seq}`}
            chat={chat}
            problem={problem}
          />
        ) : null}
      </div>
    </div>
  );
}

type LiveData = Route.ComponentProps["loaderData"]["event"];

/** Says why the video is not shown. */
function ClosedLive({
  event: { id, state, startsAt, linkMinutes, timeZone },
}: {
  event: LiveData;
}) {
  const opensAt = liveOpensAt(startsAt, linkMinutes);
  const texts: Record<LiveState, [title: string, text: string]> = {
    open: ["O vídeo não está aberto", "Recarregue a página."],
    early: [
      "Ainda não começou",
      `O vídeo abre aqui antes do começo: ${eventMomentText(opensAt, timeZone)}, ${zoneText(opensAt, timeZone)}.`,
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
