import { USERNAME_MAX, USERNAME_MIN } from "#app/domain/identity/rules/username-length.ts";
import { z } from "zod";
import { AccountWithoutEmail } from "#app/domain/identity/identity-provider/errors.ts";
import { AccountSuspended } from "#app/domain/identity/errors.ts";
import { emailSchema, isReservedUsername, NAME_MAX } from "#app/domain/identity/schema.ts";
import type { ProviderUser } from "#app/domain/identity/schema.ts";

/**
 * The part of Clerk's user that the product reads, from its Backend API and its webhooks. Source:
 * `UserJSON` of @clerk/backend.
 */
export const clerkUserSchema = z.object({
  id: z.string().min(1),
  username: z.string().nullish(),
  /** Our id, for people moved by `export-people`; only the Backend API sets it. */
  external_id: z.string().nullish(),
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  banned: z.boolean().default(false),
  primary_email_address_id: z.string().nullish(),
  email_addresses: z.array(z.object({ id: z.string(), email_address: z.string() })).default([]),
  updated_at: z.number().int(),
});
export type ClerkUser = z.infer<typeof clerkUserSchema>;

/**
 * Finds the primary email, in lower case, or the first if none is marked. Null without a usable
 * email.
 */
export function primaryEmail(user: ClerkUser): string | null {
  const primary =
    user.email_addresses.find(({ id }) => id === user.primary_email_address_id) ??
    user.email_addresses[0];
  return emailSchema.safeParse(primary?.email_address).data ?? null;
}

/**
 * Converts Clerk's user to the product's form. A username that the product does not accept is
 * replaced by a valid one. Refuses a banned user, and one without an email.
 */
export function providerUserOf(user: ClerkUser): ProviderUser {
  if (user.banned) throw new AccountSuspended();
  const email = primaryEmail(user);
  if (email === null) throw new AccountWithoutEmail();
  const username = ownUsername(user.username ?? email.slice(0, email.indexOf("@")), user.id);
  const name = [user.first_name, user.last_name]
    .filter(Boolean)
    .join(" ")
    .trim()
    .slice(0, NAME_MAX);
  return {
    providerUserId: user.id,
    email,
    name: name === "" ? username : name,
    username,
    ...(user.external_id ? { movedPersonId: user.external_id } : {}),
  };
}

/**
 * Removes accents and spaces. Letters of another alphabet cannot be kept, so the username is
 * generated.
 */
function ownUsername(wanted: string, userId: string): string {
  const folded = wanted
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[\p{M}\s]/gu, "")
    .slice(0, USERNAME_MAX)
    .replaceAll(/^[._-]+|[._-]+$/g, "");
  if (folded.length >= USERNAME_MIN && /^[a-z0-9._-]+$/.test(folded) && !isReservedUsername(folded))
    return folded;
  return `pessoa-${userId
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")
    .slice(-10)}`;
}
