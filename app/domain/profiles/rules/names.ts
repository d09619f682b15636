import { NAME_MAX } from "#app/domain/identity/schema.ts";

type Names = { firstName: string; lastName: string };

/** Joins first and last name. */
export const fullName = ({ firstName, lastName }: Names): string =>
  `${firstName} ${lastName}`.trim();

/** Derives the public name from an account's name, within the limits of a public name. */
export const publicNameOf = (name: string): string =>
  name
    .slice(0, NAME_MAX)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trim();

/** Splits a single name into its likely parts: the first word, and the rest. */
export function splitName(name: string): Names {
  const [firstName = "", ...rest] = name.trim().split(/\s+/);
  return { firstName, lastName: rest.join(" ") };
}
