import { Button } from "#app/components/ui/button.tsx";
import { counted } from "#app/domain/text.ts";
import { MessageText } from "#app/components/messages/message-text.tsx";
import type { PendingMessage } from "./use-outbox.ts";

type PendingProps = {
  pending: PendingMessage[];
  onRetry(clientMessageId: string): void;
  onDiscard(clientMessageId: string): void;
};

/** Own messages on their way, and what can be done with those that were not sent. */
export function PendingMessages({ pending, onRetry, onDiscard }: PendingProps) {
  return (
    <>
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
    </>
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
}: Omit<PendingProps, "pending"> & { pending: PendingMessage }) {
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
