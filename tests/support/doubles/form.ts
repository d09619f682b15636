/** A form in Stripe's format: names with brackets, each at most once. */
export type Form = Map<string, string>;

export function formOf(text: string): Form {
  return new Map(new URLSearchParams(text));
}
