import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  banStatement,
  unbanStatement,
} from "#app/domain/identity/account-status/commands/bans.server.ts";
import {
  AlreadyBanned,
  CannotBanStaff,
  ModeratorRequired,
  NotBanned,
} from "#app/domain/moderation/errors.ts";
import { moderatorsAmong } from "#app/domain/moderation/queries.server.ts";
import { pageClosedStatement } from "#app/domain/events/attendees/commands.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { ModerationMessage } from "#app/domain/moderation/schema/outbox.ts";
import { moderationActions, reportCases } from "#drizzle/schema/moderation.ts";

type Ban = { moderatorId: string; personId: string };

/**
 * Suspends a person from their next request on. They are signed out, their page and posts are
 * hidden, and nothing renews or is paid out. They read `reason`. Records the moderator and notifies
 * the person by e-mail. Refuses people who are not moderators, bans of moderators, and people who
 * are banned or deleted.
 */
export async function banPerson(
  ctx: Context,
  { moderatorId, personId, reason }: Ban & { reason: string },
): Promise<void> {
  const moderators = await moderatorsAmong(ctx, { personIds: [moderatorId, personId] });
  if (!moderators.has(moderatorId)) throw new ModeratorRequired();
  if (moderators.has(personId)) throw new CannotBanStaff();
  const id = ctx.newId();
  await written(new AlreadyBanned(), async () =>
    commit(ctx.db, [
      banStatement(ctx, { personId }),
      pageClosedStatement(ctx, { creatorId: personId, key: id }),
      ctx.db
        .insert(moderationActions)
        .values({ id, moderatorId, personId, act: "ban", reason, createdAt: ctx.now() }),
      announce<ModerationMessage>(ctx, `moderation:${id}:ban`, {
        type: "person.banned",
        personId,
        reason,
      }),
    ]),
  );
  ctx.log("moderation.person_banned", { moderatorId, personId });
}

/**
 * Ends a ban, and with it those of decisions on reports and suspensions. Restores everything but
 * what expired meanwhile. Refuses people who are not moderators, and people who are not banned.
 */
export async function unbanPerson(ctx: Context, { moderatorId, personId }: Ban): Promise<void> {
  const moderators = await moderatorsAmong(ctx, { personIds: [moderatorId] });
  if (!moderators.has(moderatorId)) throw new ModeratorRequired();
  const id = ctx.newId();
  await written(new NotBanned(), async () =>
    commit(ctx.db, [
      unbanStatement(ctx, { personId }),
      ctx.db
        .update(reportCases)
        .set({ suspendedUntil: null })
        .where(and(eq(reportCases.authorId, personId), isNotNull(reportCases.suspendedUntil))),
      ctx.db
        .update(reportCases)
        .set({ banLiftedAt: ctx.now() })
        .where(
          and(
            eq(reportCases.authorId, personId),
            eq(reportCases.decision, "ban"),
            isNull(reportCases.banLiftedAt),
          ),
        ),
      ctx.db
        .insert(moderationActions)
        .values({ id, moderatorId, personId, act: "unban", createdAt: ctx.now() }),
      announce<ModerationMessage>(ctx, `moderation:${id}:unban`, {
        type: "person.unbanned",
        personId,
      }),
    ]),
  );
  ctx.log("moderation.person_unbanned", { moderatorId, personId });
}

async function written(refusal: Error, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw error instanceof StaleWrite ? refusal : error;
  }
}
