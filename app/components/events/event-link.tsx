import { linkOpensText } from "#app/domain/events/rules/link.ts";

/** The link of an event for who has a seat, or when it comes. */
export function EventLink({
  event: { link, linkOpensAt, timeZone },
}: {
  event: { link: string | null; linkOpensAt: number | null; timeZone: string };
}) {
  if (link !== null)
    return (
      <a
        href={link}
        target="_blank"
        rel="noreferrer noopener"
        className="inline-flex min-h-11 items-center font-semibold break-all text-leaf hover:underline"
      >
        {link}
      </a>
    );
  return linkOpensAt === null ? null : (
    <p className="text-small text-muted">{linkOpensText(linkOpensAt, timeZone)}</p>
  );
}
