import { and, eq, isNull } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Instant } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";

/**
 * Marks a person as a verified adult, for the batch that writes the check's answer. A trigger
 * refuses it without one.
 */
export function ageVerifiedStatement(
  ctx: Context,
  { personId, checkedAt }: { personId: string; checkedAt: Instant },
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(people)
      .set({ ageCheckedAt: checkedAt })
      .where(and(eq(people.id, personId), isNull(people.deletedAt))),
  );
}
