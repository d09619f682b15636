/** How a refusal should be understood; only app/http turns it into a status code. */
export type RefusalKind = "invalid" | "unauthenticated" | "forbidden" | "not_found" | "conflict" | "limit" | "unavailable";

/**
 * An expected "no". Its message is Portuguese, for the person; `field` puts it beside an input.
 * Everything else that is thrown is a fault and is never shown.
 */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly field: string | undefined;

  constructor(kind: RefusalKind, message: string, field?: string) {
    super(message);
    this.name = new.target.name;
    this.kind = kind;
    this.field = field;
  }
}
