import { and, eq, isNull } from "drizzle-orm";
import { exactlyOne } from "#app/db/client.server.ts";
import type { Write } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Instant } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";

/**
 * The statement from which on a person is known to be an adult, for the batch that writes the
 * check's answer: a trigger refuses it without one.
 */
export function ageCheckedStatement(
  ctx: Context,
  { personId, checkedAt }: { personId: string; checkedAt: Instant },
): Write {
  return exactlyOne(
    ctx.db
      .update(people)
      .set({ ageCheckedAt: checkedAt })
      .where(and(eq(people.id, personId), isNull(people.deletedAt))),
  );
}
