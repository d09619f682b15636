import { Fragment } from "react";
import { Link } from "react-router";
import { bodyParts } from "#app/domain/comments/rules.ts";

/** Body of a comment. Only mentions and web addresses become links. */
export function CommentBody({
  body,
  mentions,
  isPublic = false,
}: {
  body: string;
  mentions: string[];
  /** On a page for visitors, people's public pages are linked. */
  isPublic?: boolean;
}) {
  return (
    <p dir="auto" className="overflow-hidden whitespace-pre-line wrap-anywhere">
      {bodyParts(body, mentions).map((part, index) => {
        // Parts of one text have no other identity and never move.
        const key = `${index}-${part.text}`;
        if (part.kind === "mention")
          return (
            <Link
              key={key}
              to={`/space/${part.username}${isPublic ? "/public" : ""}`}
              reloadDocument={isPublic}
              className="font-semibold text-leaf hover:underline"
            >
              {part.text}
            </Link>
          );
        if (part.kind === "link")
          return (
            <a
              key={key}
              href={part.text}
              rel="nofollow ugc noopener"
              target="_blank"
              className="text-leaf underline underline-offset-3"
            >
              {part.text}
            </a>
          );
        return <Fragment key={key}>{part.text}</Fragment>;
      })}
    </p>
  );
}
