/** A form as Stripe takes it: names with brackets, each once. */
export type Form = Map<string, string>;

export function formOf(text: string): Form {
  return new Map(new URLSearchParams(text));
}
