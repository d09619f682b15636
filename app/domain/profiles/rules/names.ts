import { NAME_MAX } from "#app/domain/identity/schema.ts";

type Names = { firstName: string; lastName: string };

/** First and last name as one. */
export const fullName = ({ firstName, lastName }: Names): string =>
  `${firstName} ${lastName}`.trim();

/** The public name that an account's name gives, within what a public name may have. */
export const publicNameOf = (name: string): string =>
  name
    .slice(0, NAME_MAX)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trim();

/** How a name that was given as one is likely to divide: the first word, and the rest. */
export function splitName(name: string): Names {
  const [firstName = "", ...rest] = name.trim().split(/\s+/);
  return { firstName, lastName: rest.join(" ") };
}
