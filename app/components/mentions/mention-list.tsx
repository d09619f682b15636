import type { RefObject } from "react";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { counted } from "#app/domain/text.ts";
import { useMentions } from "./use-mentions.ts";
import type { Mentionable } from "./use-mentions.ts";

type MentionListProps = {
  area: RefObject<HTMLTextAreaElement | null>;
  postId?: string | null;
  /** What a chosen person becomes in the text. */
  textOf?: (person: Mentionable) => string;
};

const asTyped = ({ username }: Mentionable) => `@${username}`;

/**
 * People to mention, below the caret of a text field. Stands in the `relative` ancestor that the
 * field is measured from. Without JavaScript there is none, and a mention is typed as always.
 */
export function MentionList({ area, postId = null, textOf = asTyped }: MentionListProps) {
  const { listId, open, choose } = useMentions({ area, postId, textOf });
  const people = open?.people ?? [];
  const field = area.current;
  return (
    <>
      <p role="status" className="sr-only">
        {open
          ? `${counted(people.length, "pessoa", "pessoas")}. Setas para escolher, Enter para pôr no texto.`
          : ""}
      </p>
      {open && field ? (
        <ul
          id={listId}
          role="listbox"
          aria-label="Pessoas"
          className="absolute z-20 w-72 max-w-full rounded-card border border-line bg-card p-1 shadow-float"
          style={{
            top: field.offsetTop + open.place.top + 4,
            left: Math.max(
              0,
              Math.min(field.offsetLeft + open.place.left, field.offsetWidth - 288),
            ),
          }}
        >
          {people.map((person, index) => (
            <li
              key={person.username}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === open.active}
              // The press would take the focus out of the field, which closes the list.
              onPointerDown={(event) => event.preventDefault()}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(person)}
              className="flex min-h-12 cursor-pointer items-center gap-3 rounded-field px-3 py-1.5 hover:bg-sand aria-selected:bg-sand"
            >
              <Avatar name={person.name} src={person.avatarUrl} size="sm" />
              <span className="flex min-w-0 flex-col">
                <span className="truncate leading-5 font-semibold">{person.name}</span>
                <span className="truncate text-small text-muted">@{person.username}</span>
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
