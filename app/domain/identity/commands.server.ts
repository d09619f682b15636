import type { DbStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { ProviderUser } from "./schema.ts";
import { people, termsAcceptances } from "#drizzle/schema/identity.ts";

/** `birthDate` is an ISO date; null only for people made outside the product's own forms. */
type RegistrationData = { birthDate: string | null; termsVersion: string };

export type NewPersonInput = {
  personId: string;
  provider: string;
  user: ProviderUser;
  createdAt?: number;
  /**
   * What made them a member; left out for somebody whom only a provider knows, who must finish the
   * profile first.
   */
  registered?: RegistrationData;
};

/**
 * The statements that make a person of somebody whom a provider vouches for. They go in one batch
 * with the profile's, because a person always has a profile; a second batch for the same provider
 * user is refused by the database (`people.provider, …`).
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
