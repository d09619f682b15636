import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { exactlyOne } from "#app/db/client.server.ts";
import type { Write } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { goneEmail } from "#app/domain/identity/rules/leaving.ts";
import { apiKeys, formerEmails, people } from "#drizzle/schema/identity.ts";

type Person = { personId: string };

/** The statement from which on a person is leaving; stale when they are already, or are gone. */
export function leavingStatement(ctx: Context, { personId }: Person): Write {
  return exactlyOne(
    ctx.db
      .update(people)
      .set({ leavingAt: ctx.now() })
      .where(and(eq(people.id, personId), isNull(people.leavingAt), isNull(people.deletedAt))),
  );
}

/** The statement by which a leaving person stays; stale when they are not leaving, or are gone. */
export function stayingStatement(ctx: Context, { personId }: Person): Write {
  return exactlyOne(
    ctx.db
      .update(people)
      .set({ leavingAt: null })
      .where(and(eq(people.id, personId), isNotNull(people.leavingAt), isNull(people.deletedAt))),
  );
}

/**
 * The statements after which the row names nobody: the ledger keeps pointing at it, and the e-mail
 * is free.
 */
export function erasedPersonStatements(ctx: Context, { personId }: Person): Write[] {
  return [
    exactlyOne(
      ctx.db
        .update(people)
        .set({
          email: goneEmail(personId),
          birthDate: null,
          ageCheckedAt: null,
          isModerator: false,
          deletedAt: ctx.now(),
        })
        .where(and(eq(people.id, personId), isNotNull(people.leavingAt), isNull(people.deletedAt))),
    ),
    ctx.db.delete(formerEmails).where(eq(formerEmails.personId, personId)),
    ctx.db.delete(apiKeys).where(eq(apiKeys.personId, personId)),
  ];
}
