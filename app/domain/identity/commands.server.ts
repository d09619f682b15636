import type { Statement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { ProviderUser } from "./schema.ts";
import { people } from "#drizzle/schema/identity.ts";

export type FirstSight = { personId: string; provider: string; user: ProviderUser; createdAt?: number };

/**
 * The statements that make a person of somebody whom a provider vouches for. They go in one batch with the profile's, because
 * a member always has a profile; a second batch for the same provider user is refused by the database (`people.provider, …`).
 */
export function personOnFirstSight(ctx: Context, { personId, provider, user, createdAt }: FirstSight): Statement[] {
  return [
    ctx.db.insert(people).values({
      id: personId,
      provider,
      providerUserId: user.providerUserId,
      email: user.email,
      createdAt: createdAt ?? ctx.now(),
    }),
  ];
}
