/** The kind of a refusal. Only app/http turns it into a status code. */
export type RefusalKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "limit"
  | "unavailable";

/** Where a refusal leads: an internal path, and the text of the link. */
export type RefusalLink = { to: string; text: string };

/**
 * An expected refusal. Its message is in Portuguese, for the person. `field` puts it beside an
 * input, `link` leads to what it is about. Everything else that is thrown is a fault and is never
 * shown.
 */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly field: string | undefined;
  readonly link: RefusalLink | undefined;

  constructor(kind: RefusalKind, message: string, field?: string, link?: RefusalLink) {
    super(message);
    this.name = new.target.name;
    this.kind = kind;
    this.field = field;
    this.link = link;
  }
}
