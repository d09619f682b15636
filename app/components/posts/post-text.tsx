import { Fragment } from "react";
import type { ReactNode } from "react";

const ADDRESS = /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]])/g;

/** What a person wrote, as text: blank lines part paragraphs, line breaks stay, addresses become links. Never HTML. */
export function PostText({ text, className = "" }: { text: string; className?: string }) {
  const paragraphs = text.replaceAll("\r\n", "\n").split(/\n{2,}/);
  return (
    <div className={`flex flex-col gap-4 ${className}`}>
      {paragraphs.map((paragraph, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- paragraphs have no other identity, and never move
        <p key={index} className="whitespace-pre-line">
          {linked(paragraph)}
        </p>
      ))}
    </div>
  );
}

function linked(text: string): ReactNode[] {
  return text.split(ADDRESS).map((part, index) =>
    index % 2 === 1 ? (
      // oxlint-disable-next-line react/no-array-index-key -- parts of one text, which never move
      <a key={index} href={part} rel="nofollow ugc noopener" target="_blank" className="text-leaf underline underline-offset-3">
        {part}
      </a>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- parts of one text, which never move
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
