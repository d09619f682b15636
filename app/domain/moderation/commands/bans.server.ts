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
import { announce } from "#app/domain/outbox.server.ts";
import type { ModerationMessage } from "#app/domain/moderation/schema/outbox.ts";
import { moderationActions } from "#drizzle/schema/moderation.ts";

type Ban = { moderatorId: string; personId: string };

/**
 * Suspends a person: from their next request on they are nobody, their page and posts are hidden,
 * nothing renews and nothing is paid out. `reason` is what they read. Written down with who did it,
 * and told by mail. Refuses who does not moderate, who does (also themselves), and a person who is
 * banned already or gone.
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
 * Ends a ban: everything is as it was, but what ran out meanwhile. Refuses who does not moderate,
 * and who is not banned.
 */
export async function unbanPerson(ctx: Context, { moderatorId, personId }: Ban): Promise<void> {
  const moderators = await moderatorsAmong(ctx, { personIds: [moderatorId] });
  if (!moderators.has(moderatorId)) throw new ModeratorRequired();
  const id = ctx.newId();
  await written(new NotBanned(), async () =>
    commit(ctx.db, [
      unbanStatement(ctx, { personId }),
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
