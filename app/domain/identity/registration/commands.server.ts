import { and, eq, isNull } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { people, termsAcceptances } from "#drizzle/schema/identity.ts";

/**
 * The writes that make a member of a person whom only their provider knew, to go in one batch with
 * the profile's name and username. Refused as a whole (StaleWrite) for somebody who is a member
 * already: of two at once one wins.
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
 * Keeps that a member accepted these terms, once, at the first time; `version` was compared with
 * the one in force by its schema.
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
