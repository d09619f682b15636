import { and, eq, isNull } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { people, termsAcceptances } from "#drizzle/schema/identity.ts";

/**
 * Builds the writes that make a member of a person whom only their provider knew. They share a
 * batch with the profile's name and username. Throws StaleWrite for an existing member: of two
 * parallel calls one wins.
 */
export function finishRegistrationWrites(
  ctx: Context,
  {
    personId,
    birthDate,
    termsVersion,
  }: { personId: string; birthDate: string; termsVersion: string },
): BatchWrite[] {
  const now = ctx.now();
  return [
    mustChangeOne(
      ctx.db
        .update(people)
        .set({ birthDate, registeredAt: now })
        .where(and(eq(people.id, personId), isNull(people.registeredAt))),
    ),
    ctx.db.insert(termsAcceptances).values({ personId, version: termsVersion, acceptedAt: now }),
  ];
}

/**
 * Records that a member accepted these terms, once, at the first time. The schema compared
 * `version` with the one in force.
 */
export async function acceptTerms(
  ctx: Context,
  { personId, version }: { personId: string; version: string },
): Promise<void> {
  await commit(ctx.db, [
    ctx.db
      .insert(termsAcceptances)
      .values({ personId, version, acceptedAt: ctx.now() })
      .onConflictDoNothing(),
  ]);
}
