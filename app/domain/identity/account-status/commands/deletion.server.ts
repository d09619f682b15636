import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { deletedPersonEmail } from "#app/domain/identity/account-status/rules/deleted-email.ts";
import { apiKeys, formerEmails, people } from "#drizzle/schema/identity.ts";

type PersonRef = { personId: string };

/** Marks a person as leaving. Stale when they already are, or are deleted. */
export function deletionRequestedStatement(ctx: Context, { personId }: PersonRef): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(people)
      .set({ leavingAt: ctx.now() })
      .where(and(eq(people.id, personId), isNull(people.leavingAt), isNull(people.deletedAt))),
  );
}

/** Ends a person's leaving. Stale when they are not leaving, or are deleted. */
export function deletionCanceledStatement(ctx: Context, { personId }: PersonRef): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(people)
      .set({ leavingAt: null })
      .where(and(eq(people.id, personId), isNotNull(people.leavingAt), isNull(people.deletedAt))),
  );
}

/** Erases a person's row: the ledger still points at it, and the e-mail is free. */
export function erasePersonStatements(ctx: Context, { personId }: PersonRef): BatchWrite[] {
  return [
    mustChangeOne(
      ctx.db
        .update(people)
        .set({
          email: deletedPersonEmail(personId),
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
