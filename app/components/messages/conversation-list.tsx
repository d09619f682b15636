import { BellOff, Pin } from "lucide-react";
import type { MouseEvent } from "react";
import { NavLink, useNavigate } from "react-router";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { stepByArrow, TO_FIELD } from "./live/conversation-keys.ts";

export type ListedConversation = {
  id: string;
  name: string;
  avatarUrl: string | null;
  text: string;
  ago: string;
  unreadCount: number;
  isUnread: boolean;
  isPinned: boolean;
  isMuted: boolean;
};

const MOST_SHOWN = 99;

/**
 * The conversations of a person, one link each, with what they did not read. The arrows move
 * between them. One that a key opens has the focus in its field.
 */
export function ConversationList({ conversations }: { conversations: ListedConversation[] }) {
  const navigate = useNavigate();
  const openByKey = (event: MouseEvent<HTMLAnchorElement>) => {
    const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    // A click of a key has no count.
    if (event.detail !== 0 || isModified) return;
    event.preventDefault();
    void navigate(event.currentTarget.pathname, { state: TO_FIELD });
  };
  return (
    <ul className="divide-y divide-line">
      {conversations.map((conversation) => (
        <li key={conversation.id}>
          <NavLink
            to={`/messages/${conversation.id}`}
            data-conversation
            onClick={openByKey}
            onKeyDown={stepByArrow}
            className={({ isActive }) =>
              `flex items-center gap-3 px-4 py-3 ${isActive ? "bg-sand" : "hover:bg-sand/60"}`
            }
          >
            <Avatar name={conversation.name} src={conversation.avatarUrl} />
            <span className="flex min-w-0 flex-1 flex-col">
              <span className="flex items-baseline justify-between gap-3">
                <span className="truncate font-semibold">{conversation.name}</span>
                <span className="shrink-0 text-caption text-muted">{conversation.ago}</span>
              </span>
              <span className="flex items-center gap-2">
                <span
                  className={`min-w-0 flex-1 truncate text-small ${conversation.isUnread ? "font-semibold text-ink" : "text-muted"}`}
                >
                  {conversation.text}
                </span>
                <Marks {...conversation} />
              </span>
            </span>
          </NavLink>
        </li>
      ))}
    </ul>
  );
}

function Marks({ isMuted, isPinned, isUnread, unreadCount }: ListedConversation) {
  return (
    <>
      {isMuted ? <BellOff aria-label="Silenciada" className="size-4 shrink-0 text-muted" /> : null}
      {isPinned ? <Pin aria-label="Fixada" className="size-4 shrink-0 text-muted" /> : null}
      {isUnread ? (
        <span className="inline-flex h-5 min-w-5 shrink-0 items-center justify-center rounded-full bg-signal px-1.5 text-caption font-bold text-on-signal">
          <span className="sr-only">não lidas: </span>
          {unreadCount === 0 ? "•" : unreadCount > MOST_SHOWN ? `${MOST_SHOWN}+` : unreadCount}
        </span>
      ) : null}
    </>
  );
}
