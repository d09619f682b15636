/** The text of an event, with its line breaks. */
export function EventText({ text }: { text: string }) {
  if (text === "") return null;
  return <p className="break-words whitespace-pre-wrap">{text}</p>;
}
