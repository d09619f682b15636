import { emailSchema, isReservedUsername, NAME_MAX, USERNAME_MAX, USERNAME_MIN } from "#app/domain/identity/schema.ts";
import type { ProviderUser } from "#app/domain/identity/schema.ts";
import type { ClerkUser } from "./backend-api.server.ts";

/** The primary e-mail, lower-case; the first when none is marked; null for who has none that we can write to. */
export function primaryEmail(user: ClerkUser): string | null {
  const primary = user.email_addresses.find(({ id }) => id === user.primary_email_address_id) ?? user.email_addresses[0];
  return emailSchema.safeParse(primary?.email_address).data ?? null;
}

/** Clerk's user in the product's words. A username that this product would not take becomes one that it does. */
export function providerUserOf(user: ClerkUser): ProviderUser {
  const email = primaryEmail(user);
  if (email === null) throw new Error("clerk: a user without an e-mail cannot become a member");
  const username = ownUsername(user.username ?? email.slice(0, email.indexOf("@")), user.id);
  const name = [user.first_name, user.last_name].filter(Boolean).join(" ").trim().slice(0, NAME_MAX);
  return { providerUserId: user.id, email, name: name === "" ? username : name, username };
}

function ownUsername(wanted: string, userId: string): string {
  const folded = wanted
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]/g, "")
    .replaceAll(/^[._-]+|[._-]+$/g, "")
    .slice(0, USERNAME_MAX);
  if (folded.length >= USERNAME_MIN && /[a-z0-9]$/.test(folded) && !isReservedUsername(folded)) return folded;
  return `pessoa-${userId.toLowerCase().replaceAll(/[^a-z0-9]/g, "").slice(-10)}`;
}
