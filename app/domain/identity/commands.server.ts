import type { DbStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { ProviderUser } from "./schema.ts";
import { people, termsAcceptances } from "#drizzle/schema/identity.ts";

/** `birthDate` is an ISO date. Null only for people created outside the product's own forms. */
type RegistrationData = { birthDate: string | null; termsVersion: string };

export type NewPersonInput = {
  personId: string;
  provider: string;
  user: ProviderUser;
  createdAt?: number;
  /**
   * What made them a member. Left out for a person whom only a provider knows: they must finish
   * their registration.
   */
  registered?: RegistrationData;
};

/**
 * Builds the statements that create a person whom a provider vouches for. They share a batch with
 * the profile's, because a person always has a profile. The database refuses a second batch for the
 * same provider user (`people.provider, …`).
 */
export function newPersonStatements(
  ctx: Context,
  { personId, provider, user, createdAt = ctx.now(), registered }: NewPersonInput,
): DbStatement[] {
  const person = ctx.db.insert(people).values({
    id: personId,
    provider,
    providerUserId: user.providerUserId,
    email: user.email,
    createdAt,
    birthDate: registered?.birthDate ?? null,
    registeredAt: registered ? createdAt : null,
  });
  if (!registered) return [person];
  return [
    person,
    ctx.db
      .insert(termsAcceptances)
      .values({ personId, version: registered.termsVersion, acceptedAt: createdAt }),
  ];
}
