import { Link } from "react-router";
import { MessageText } from "#app/components/messages/message-text.tsx";
import { ACTION_MENU_ITEM, ActionMenu } from "#app/components/ui/action-menu.tsx";
import type { ChatMessage, ChatRole } from "#app/domain/event-chat/schema.ts";
import { messageSubjectId } from "#app/domain/moderation/reports/rules/subjects.ts";
import { formatTimeOfDay } from "#app/domain/time.ts";

const ROLE_LABELS: Record<ChatRole, string | null> = {
  host: "faz o evento",
  team: "equipe",
  guest: null,
};

type ChatRowProps = { eventId: string; message: ChatMessage; mayModerate: boolean };

/** One message of a chat: who wrote it, its text, and a menu of what can be done. */
export function ChatRow({ eventId, message, mayModerate }: ChatRowProps) {
  const { seq, sender, text, isOwn, isDeleted, createdAt } = message;
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
          <span>{formatTimeOfDay(createdAt)}</span>
        </p>
        {isDeleted ? (
          <p className="text-muted italic">Mensagem apagada</p>
        ) : (
          <MessageText text={text} />
        )}
      </div>
      {isDeleted ? null : (
        <ChatMenu eventId={eventId} message={message} mayModerate={mayModerate} />
      )}
    </li>
  );
}

function ChatMenu({ eventId, message: { seq, isOwn, sender }, mayModerate }: ChatRowProps) {
  return (
    <ActionMenu label={`Opções da mensagem ${seq}`} side="right" opensUp>
      {isOwn ? null : (
        <>
          <Link
            to={`/report/message/${messageSubjectId({ conversationId: eventId, seq })}`}
            className={ACTION_MENU_ITEM}
          >
            Denunciar
          </Link>
          <Link to={`/space/${sender.username}/block`} className={ACTION_MENU_ITEM}>
            Bloquear
          </Link>
        </>
      )}
      {isOwn || mayModerate ? (
        <Link to={`/events/${eventId}/live/${seq}/deletion`} className={ACTION_MENU_ITEM}>
          Apagar
        </Link>
      ) : null}
    </ActionMenu>
  );
}
