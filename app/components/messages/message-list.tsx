import { Button } from "#app/components/ui/button.tsx";
import type { Message } from "#app/domain/messages/schema.ts";
import { counted } from "#app/domain/text.ts";
import { dayNumberOf, formatDay } from "#app/domain/time.ts";
import { MessageRow } from "./message-row.tsx";
import { MessageText } from "./message-text.tsx";
import type { PendingMessage } from "./use-outbox.ts";

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
      <p role="status" className="sr-only">
        {unsentText(pending)}
      </p>
      {pending.length === 0 ? null : (
        <ol aria-label="A caminho" className="flex flex-col gap-2">
          {pending.map((one) => (
            <li key={one.clientMessageId} className="flex flex-row-reverse">
              <div className="flex max-w-[80%] flex-col gap-1 rounded-card bg-sand px-3.5 py-2 sm:max-w-[70%]">
                <MessageText text={one.text} />
                <PendingState pending={one} onRetry={onRetry} onDiscard={onDiscard} />
              </div>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

/** What a screen reader says of the messages that were not sent: once, not at each retry. */
function unsentText(pending: readonly PendingMessage[]): string {
  const count = pending.filter(({ state }) => state === "failed").length;
  return count === 0 ? "" : `${counted(count, "mensagem não enviada", "mensagens não enviadas")}.`;
}

function PendingState({
  pending,
  onRetry,
  onDiscard,
}: { pending: PendingMessage } & Pick<MessageListProps, "onRetry" | "onDiscard">) {
  if (pending.state !== "failed")
    return <span className="self-end text-caption text-muted">enviando</span>;
  return (
    <span className="flex flex-col items-end gap-1 text-caption text-refusal">
      {pending.problem ?? "não enviada"} ·
      <Button
        type="button"
        size="sm"
        variant="outline"
        onClick={() => onRetry(pending.clientMessageId)}
      >
        tentar de novo
      </Button>
      <Button
        type="button"
        size="sm"
        variant="ghost"
        onClick={() => onDiscard(pending.clientMessageId)}
      >
        descartar
      </Button>
    </span>
  );
}

function dayText(at: number, now: number): string {
  const ago = dayNumberOf(now) - dayNumberOf(at);
  return ago === 0 ? "Hoje" : ago === 1 ? "Ontem" : formatDay(at);
}
