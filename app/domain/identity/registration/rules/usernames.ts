import { usernameSchema } from "#app/domain/identity/schema.ts";

/** Adds a unique suffix to `username`: the last letters of `id`. */
export const withUniqueSuffix = (username: string, id: string): string =>
  `${username.slice(0, 200)}-${id.slice(-6)}`;

const GIVEN = "pessoa";

/** The username of a guest, who asked for no public address. It reveals nothing of them. */
export const givenUsername = (id: string): string => withUniqueSuffix(GIVEN, id);

/** Whether a username was given, and its owner never chose one. */
export const isGivenUsername = (username: string): boolean =>
  new RegExp(`^${GIVEN}(-[0-9a-z]{6,10})+$`).test(username);

/** A username made of a first and last name: "lia.souza"; empty where they make none. */
export function suggestedUsername(name: string): string {
  const nameParts = name
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const parts = nameParts.length > 1 ? [nameParts[0], nameParts.at(-1)] : nameParts;
  return usernameSchema.safeParse(parts.join(".")).data ?? "";
}
