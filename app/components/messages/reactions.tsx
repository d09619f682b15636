import { useFetcher } from "react-router";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { REACTIONS } from "#app/domain/messages/rules.ts";
import type { MessageReaction } from "#app/domain/messages/schema.ts";

type ReactionsProps = {
  /** Where a reaction is sent. */
  path: string;
  reactions: MessageReaction[];
  /** Reactions are shown and not taken any more. */
  isClosed?: boolean;
};

const CHIP = "inline-flex min-h-8 items-center gap-1 rounded-full border px-2.5 text-small";

/** The reactions to a message with their counts; a press gives the same, or takes it back. */
export function Reactions({ path, reactions, isClosed = false }: ReactionsProps) {
  const fetcher = useFetcher();
  if (reactions.length === 0) return null;
  if (isClosed)
    return (
      <p className="flex flex-wrap gap-1">
        {reactions.map(({ emoji, count, isOwn }) => (
          <span key={emoji} className={`${CHIP} ${isOwn ? "border-leaf" : "border-line"}`}>
            {emoji}
            {count > 1 ? ` ${count}` : null}
          </span>
        ))}
      </p>
    );
  return (
    <fetcher.Form method="post" action={path} className="flex flex-wrap gap-1">
      <ActingField />
      {reactions.map(({ emoji, count, isOwn }) => (
        <button
          key={emoji}
          name="emoji"
          value={isOwn ? "" : emoji}
          aria-label={[
            isOwn ? `Tirar a reação ${emoji}` : `Reagir também com ${emoji}`,
            ...(count > 1 ? [count] : []),
          ].join(" ")}
          className={`${CHIP} ${isOwn ? "border-leaf" : "border-line"}`}
        >
          <span aria-hidden="true">{emoji}</span>
          {count > 1 ? count : null}
        </button>
      ))}
    </fetcher.Form>
  );
}

/** The row of a message's menu from which a reaction is chosen. */
export function ReactionChoice({ path }: Pick<ReactionsProps, "path">) {
  const fetcher = useFetcher();
  return (
    <fetcher.Form
      method="post"
      action={path}
      className="grid grid-cols-6 border-b border-line px-1"
    >
      <ActingField />
      {REACTIONS.map((emoji) => (
        <button
          key={emoji}
          name="emoji"
          value={emoji}
          aria-label={`Reagir com ${emoji}`}
          className="min-h-11 rounded-field hover:bg-sand"
        >
          <span aria-hidden="true">{emoji}</span>
        </button>
      ))}
    </fetcher.Form>
  );
}
