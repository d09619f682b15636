import { useRef, useState } from "react";
import type { MouseEvent } from "react";
import { useNavigate } from "react-router";
import { MessageComposer } from "#app/components/messages/message-composer.tsx";
import { PendingMessages } from "#app/components/messages/outbox/pending-messages.tsx";
import { useChangingMessages } from "#app/components/messages/live/use-conversation.ts";
import type { ChangedMessages } from "#app/components/messages/live/use-conversation.ts";
import { useInboxChanges } from "#app/components/messages/live/use-inbox-changes.ts";
import { useOutbox } from "#app/components/messages/outbox/use-outbox.ts";
import type { Outbox } from "#app/components/messages/outbox/use-outbox.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { toast } from "#app/components/ui/toasts/toast.ts";
import { CHAT_TEXT_MAX } from "#app/domain/event-chat/rules.ts";
import type { ChatMessage } from "#app/domain/event-chat/schema.ts";
import { counted } from "#app/domain/text.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { chatPath } from "./chat-path.ts";
import { ChatRow } from "./chat-row.tsx";

/** What may change around the messages of an open chat. */
type ChatAround = {
  /** Why nothing can be written now; null while it is open. */
  closed: string | null;
  /** Where the page hears of changes, from the next time that it connects. */
  listenAt: string;
};

/** What `/events/:id/live/changes` answers. */
export type ChatAnswer = ChangedMessages<ChatMessage> & ChatAround;

/** A chat as its page loads it. */
export type OpenChat = ChatAround & {
  /** The id of the event. */
  id: string;
  /** The member who looks at it. */
  account: string;
  /** The page was asked for with the video. */
  isVideoAsked: boolean;
  /** The member runs the event, and may delete the messages of others. */
  mayModerate: boolean;
  revision: number;
  messages: ChatMessage[];
  isLatest: boolean;
  /** The seq before which there are more messages. */
  earlier: number | null;
  /** The message that the form answers. */
  replyTo: { seq: number; text: string } | null;
  clientMessageId: string;
  now: number;
};

const sendPath = (eventId: string): string => `/events/${eventId}/live/send`;

/** The chat beside the video of an event: its messages, the newest below, and the form. */
export function EventChat({ chat, problem }: { chat: OpenChat; problem: FormProblem | undefined }) {
  const { id, account, isLatest } = chat;
  const [listenAt, setListenAt] = useState(chat.listenAt);
  const changes = useInboxChanges(listenAt, { isCrowded: true });
  const outbox = useOutbox({ account, space: "event-chat" }, sendPath);
  const { messages, state, announced, catchUp, pending } = useChangingMessages<
    ChatMessage,
    ChatAnswer
  >({
    loaded: chat,
    changeCount: changes.changeCount,
    outbox,
    changesPath: `/events/${id}/live/changes`,
    announce: announcedText,
  });
  if (state.listenAt !== listenAt) setListenAt(state.listenAt);
  const navigate = useNavigate();
  const scroller = useRef<HTMLDivElement>(null);
  const showNewest = () => scroller.current?.scrollTo({ top: 0 });
  const here = chatPath(chat);
  return (
    <Card
      as="section"
      label="Chat do evento"
      className="flex min-h-0 flex-col p-4 lg:h-[min(44rem,calc(100dvh-11rem))]"
    >
      <h2 className="pb-2 text-heading">Chat</h2>
      {/* Its origin is below: it opens at the newest message, without JavaScript too. */}
      <div
        ref={scroller}
        role="region"
        aria-label="Mensagens do chat"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, by keyboard too
        tabIndex={0}
        className="flex max-h-[36dvh] min-h-40 flex-1 flex-col-reverse overflow-y-auto lg:max-h-none"
      >
        <ChatMessages
          {...outbox}
          chat={{ ...chat, ...state }}
          messages={messages}
          pending={pending}
        />
      </div>
      <p role="status" className="sr-only">
        {announced}
      </p>
      <p className="flex justify-center">
        <NewestLink
          to={chatPath(chat, isLatest ? { at: chat.now } : {})}
          isLatest={isLatest}
          refresh={catchUp}
          onRefreshed={showNewest}
        />
      </p>
      <ChatWriting
        chat={{ ...chat, ...state }}
        problem={problem}
        onSend={(text) => {
          const clientMessageId = crypto.randomUUID();
          const replyTo = chat.replyTo?.seq ?? null;
          outbox.send({ conversationId: id, clientMessageId, text, replyTo });
          showNewest();
          if (replyTo !== null) void navigate(here, { replace: true, preventScrollReset: true });
        }}
      />
    </Card>
  );
}

type NewestLinkProps = {
  /** An address that the page does not have: else a link to "#fim" would load nothing. */
  to: string;
  isLatest: boolean;
  refresh(): Promise<boolean>;
  onRefreshed(): void;
};

/**
 * Leads from older messages to the newest. There it reads what is new beside the running video, or
 * without JavaScript loads the page again.
 */
function NewestLink({ to, isLatest, refresh, onRefreshed }: NewestLinkProps) {
  const refreshHere = (event: MouseEvent): void => {
    if (!isLatest || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void refresh().then((isAnswered) =>
      isAnswered
        ? onRefreshed()
        : toast.error("Não deu para atualizar o chat. Confira a internet e tente de novo."),
    );
  };
  return (
    <ButtonLink
      to={`${to}#fim`}
      size="sm"
      variant="ghost"
      reloadDocument={isLatest}
      onClick={refreshHere}
    >
      {isLatest ? "Atualizar o chat" : "Mensagens mais novas"}
    </ButtonLink>
  );
}

function ChatMessages({
  chat,
  messages,
  pending,
  retry,
  discard,
}: { chat: OpenChat } & Pick<OpenChat, "messages"> &
  Pick<Outbox, "pending" | "retry" | "discard">) {
  return (
    <div className="flex flex-col gap-3 pr-1">
      <OlderLink chat={chat} />
      {messages.length + pending.length === 0 ? (
        <p className="text-muted">Ninguém escreveu ainda.</p>
      ) : null}
      <ol className="flex flex-col gap-1">
        {messages.map((message) => (
          <ChatRow key={message.seq} chat={chat} message={message} />
        ))}
      </ol>
      <PendingMessages pending={pending} onRetry={retry} onDiscard={discard} />
      <div id="fim" />
    </div>
  );
}

/** The form, or why there is none. */
function ChatWriting({
  chat,
  problem,
  onSend,
}: {
  chat: OpenChat;
  problem: FormProblem | undefined;
  onSend(text: string): void;
}) {
  const { closed, isLatest, replyTo, clientMessageId } = chat;
  if (closed !== null) return <p className="border-t border-line pt-3 text-muted">{closed}</p>;
  return (
    <MessageComposer
      action={chatPath(chat, replyTo ? { reply: replyTo.seq } : {})}
      here={chatPath(chat)}
      leaveTo={null}
      max={CHAT_TEXT_MAX}
      clientMessageId={clientMessageId}
      replyTo={replyTo}
      problem={problem}
      {...(isLatest ? { onSend } : {})}
    />
  );
}

/** Several messages at once are counted, so that a lively chat stays bearable. */
function announcedText(arrived: ChatMessage[]): string {
  const last = arrived.at(-1);
  if (!last) return "";
  const textOfLast = `${last.sender.name}: ${last.text}`;
  return arrived.length === 1
    ? textOfLast
    : `${counted(arrived.length, "mensagem nova", "mensagens novas")}. A última, de ${textOfLast}`;
}

function OlderLink({ chat }: { chat: OpenChat }) {
  if (chat.earlier === null) return null;
  return (
    <p className="flex justify-center">
      <ButtonLink to={chatPath(chat, { before: chat.earlier })} size="sm" variant="outline">
        Mensagens anteriores
      </ButtonLink>
    </p>
  );
}
