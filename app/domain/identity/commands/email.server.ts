import { and, eq } from "drizzle-orm";
import { exactlyOne } from "#app/db/client.server.ts";
import type { Write } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { people } from "#drizzle/schema/identity.ts";

/**
 * The statements that give a provider's user another e-mail with us, to go in one batch with the provider's own. The database refuses
 * an e-mail that is somebody else's (`people.email`).
 */
export function personEmailStatements(ctx: Context, { provider, providerUserId, email }: { provider: string; providerUserId: string; email: string }): Write[] {
  return [
    exactlyOne(
      ctx.db
        .update(people)
        .set({ email })
        .where(and(eq(people.provider, provider), eq(people.providerUserId, providerUserId))),
    ),
  ];
}
