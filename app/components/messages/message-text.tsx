import { Fragment } from "react";
import { linkQuestionPath, messageParts } from "#app/domain/messages/rules.ts";

/**
 * Text of a message. Line breaks stay, and only web addresses become links, which ask before
 * another site is opened.
 */
export function MessageText({ text }: { text: string }) {
  return (
    <p dir="auto" className="whitespace-pre-line wrap-anywhere">
      {messageParts(text).map((part, index) => {
        // Parts of one text have no other identity and never move.
        const key = `${index}-${part.text}`;
        if (part.kind === "text") return <Fragment key={key}>{part.text}</Fragment>;
        return (
          <Fragment key={key}>
            <a
              href={linkQuestionPath(part.href)}
              rel="nofollow ugc noopener"
              target="_blank"
              className="underline underline-offset-3"
            >
              {part.text}
            </a>
            {part.host === null ? null : ` (${part.host})`}
          </Fragment>
        );
      })}
    </p>
  );
}
