import { Link } from "react-router";
import { MessageText } from "#app/components/messages/message-text.tsx";
import { ReactionChoice, Reactions } from "#app/components/messages/reactions.tsx";
import { DELETED_TEXT, ReplyQuote } from "#app/components/messages/reply-quote.tsx";
import { ACTION_MENU_ITEM, ActionMenu } from "#app/components/ui/action-menu.tsx";
import type { ChatMessage, ChatRole } from "#app/domain/event-chat/schema.ts";
import { isEditable } from "#app/domain/messages/rules.ts";
import { messageSubjectId } from "#app/domain/moderation/reports/rules/subjects.ts";
import { formatTimeOfDay } from "#app/domain/time.ts";
import { chatPath } from "./chat-path.ts";

const ROLE_LABELS: Record<ChatRole, string | null> = {
  host: "faz o evento",
  team: "equipe",
  guest: null,
};

type ChatRowProps = {
  message: ChatMessage;
  chat: {
    /** The id of the event. */
    id: string;
    mayModerate: boolean;
    /** Why nothing can be written now; null while the chat is open. */
    closed: string | null;
    isVideoAsked: boolean;
    now: number;
  };
};

const messagePath = (eventId: string, seq: number): string => `/events/${eventId}/live/${seq}`;

/** One message of a chat: who wrote it, what it answers, its text, reactions, and its menu. */
export function ChatRow({ message, chat }: ChatRowProps) {
  const { seq, sender, text, isOwn, isEdited, isDeleted, createdAt, replyTo } = message;
  const role = ROLE_LABELS[sender.role];
  return (
    <li id={`m-${seq}`} className="relative flex scroll-mt-24 items-start gap-1">
      <div className="min-w-0 flex-1 py-1">
        <p className="flex flex-wrap items-baseline gap-x-2 text-caption text-muted">
          <Link to={`/space/${sender.username}`} className="text-small font-semibold text-ink">
            {sender.name}
          </Link>
          {isOwn ? <span>você</span> : null}
          {role === null ? null : <span className="font-semibold text-leaf">{role}</span>}
          <span>
            {isEdited ? "editada · " : ""}
            {formatTimeOfDay(createdAt)}
          </span>
        </p>
        {replyTo ? <ReplyQuote replyTo={replyTo} name={replyTo.name} /> : null}
        {isDeleted ? (
          <p className="text-muted italic">{DELETED_TEXT}</p>
        ) : (
          <MessageText text={text} />
        )}
        <Reactions
          path={`${messagePath(chat.id, seq)}/reaction`}
          reactions={message.reactions}
          isClosed={chat.closed !== null}
        />
      </div>
      {isDeleted ? null : <ChatMenu message={message} chat={chat} />}
    </li>
  );
}

function ChatMenu({ message, chat }: ChatRowProps) {
  const { seq, isOwn, sender } = message;
  const { id, mayModerate, now } = chat;
  const isOpen = chat.closed === null;
  const path = messagePath(id, seq);
  return (
    <ActionMenu label={`Opções da mensagem ${seq}`} side="right" opensUp>
      {isOpen ? (
        <>
          <ReactionChoice path={`${path}/reaction`} />
          <Link to={`${chatPath(chat, { reply: seq })}#escrever`} className={ACTION_MENU_ITEM}>
            Responder
          </Link>
        </>
      ) : null}
      {isOwn ? null : (
        <>
          <Link
            to={`/report/message/${messageSubjectId({ conversationId: id, seq })}`}
            className={ACTION_MENU_ITEM}
          >
            Denunciar
          </Link>
          <Link to={`/space/${sender.username}/block`} className={ACTION_MENU_ITEM}>
            Bloquear
          </Link>
        </>
      )}
      {isOwn && isOpen && isEditable(message, now) ? (
        <Link to={`${path}/edit`} className={ACTION_MENU_ITEM}>
          Editar
        </Link>
      ) : null}
      {isOwn || mayModerate ? (
        <Link to={`${path}/deletion`} className={ACTION_MENU_ITEM}>
          Apagar
        </Link>
      ) : null}
    </ActionMenu>
  );
}
