import type { Message } from "#app/domain/messages/schema.ts";
import { dayNumberOf, formatDay } from "#app/domain/time.ts";
import { MessageRow } from "./message-row.tsx";
import { PendingMessages } from "./outbox/pending-messages.tsx";
import type { PendingMessage } from "./outbox/use-outbox.ts";

type MessageListProps = {
  conversationId: string;
  otherName: string;
  messages: Message[];
  pending: PendingMessage[];
  now: number;
  otherReadSeq: number | null;
  mayWrite: boolean;
  isMembersOwn: boolean;
  onRetry(clientMessageId: string): void;
  onDiscard(clientMessageId: string): void;
};

/** Messages from the oldest to the newest, a heading for each day, then own ones on their way. */
export function MessageList({
  messages,
  pending,
  onRetry,
  onDiscard,
  ...around
}: MessageListProps) {
  const { now, otherReadSeq } = around;
  const days = Map.groupBy(messages, ({ createdAt }) => dayNumberOf(createdAt));
  return (
    <div className="flex flex-col gap-4">
      {[...days].map(([day, dayMessages]) => (
        <section key={day} aria-label={dayText(dayMessages[0]?.createdAt ?? now, now)}>
          <h2 className="pb-3 text-center text-caption text-muted">
            {dayText(dayMessages[0]?.createdAt ?? now, now)}
          </h2>
          <ol className="flex flex-col gap-2">
            {dayMessages.map((message) => (
              <MessageRow
                key={message.seq}
                {...around}
                message={message}
                isRead={otherReadSeq !== null && message.seq <= otherReadSeq}
              />
            ))}
          </ol>
        </section>
      ))}
      <PendingMessages pending={pending} onRetry={onRetry} onDiscard={onDiscard} />
    </div>
  );
}

function dayText(at: number, now: number): string {
  const ago = dayNumberOf(now) - dayNumberOf(at);
  return ago === 0 ? "Hoje" : ago === 1 ? "Ontem" : formatDay(at);
}
