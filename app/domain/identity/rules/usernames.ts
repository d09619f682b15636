import { usernameSchema } from "#app/domain/identity/schema.ts";

/** Longer is no address to tell anybody. */
const LONGEST_DERIVED = 40;

/** A username made of somebody's name ("Lia de Souza" to "lia-de-souza"), or null where none can be: too short, reserved, or no Latin letters. */
export function usernameFrom(name: string): string | null {
  const letters = name.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const joined = letters.replaceAll(/[^a-z0-9]+/g, "-").slice(0, LONGEST_DERIVED).replaceAll(/^-|-$/g, "");
  const parsed = usernameSchema.safeParse(joined);
  return parsed.success ? parsed.data : null;
}

/** The same with an ending that nobody else has: the last letters of `id`. */
export const withEnding = (username: string, id: string): string => `${username.slice(0, 200)}-${id.slice(-6)}`;
