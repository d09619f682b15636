export const DELETED_TEXT = "Mensagem apagada";

/** The message that another one answers, above its text; leads there. */
export function ReplyQuote({
  replyTo: { seq, text, isOwn },
  name,
}: {
  replyTo: { seq: number; text: string; isOwn: boolean };
  /** Who wrote it, if not the member. */
  name: string;
}) {
  return (
    <a
      href={`#m-${seq}`}
      className="line-clamp-2 border-l-2 border-leaf pl-2 text-small text-muted"
    >
      {isOwn ? "Você" : name}: {text || DELETED_TEXT}
    </a>
  );
}
