import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { DbStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { NOTIFICATION_KINDS } from "#app/domain/notifications/rules/kinds.ts";
import { isChosen } from "#app/domain/notifications/rules/deliveries.ts";
import type { Delivery } from "#app/domain/notifications/rules/deliveries.ts";
import { OTHERS_COUNT } from "#app/domain/outbox.ts";
import type { CategorizedNotification, NotificationGroup } from "#app/domain/outbox.ts";
import { isHiddenPath } from "#app/lib/uncompleted-features.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";

/** How long an unread group takes new ones. */
export const GROUP_MS = 12 * HOUR_MS;

/**
 * Builds the statements of the rows of one message: one for each recipient with an account who did
 * not switch the kind off, none that would lead to a feature that is hidden, keyed by the message
 * and the recipient's index. Those that join a group are not safe to repeat.
 */
export function rowStatements(
  ctx: Context,
  { outboxId, drafts, ...chosen }: Delivery,
): { single: DbStatement[]; grouped: DbStatement[] } {
  const shown = [...drafts.entries()].flatMap(([index, draft]) =>
    draft.personId !== null &&
    isChosen(chosen, draft, "app") &&
    !isHiddenPath(draft.path, ctx.settings)
      ? [{ ...draft, personId: draft.personId, sourceKey: `${outboxId}:${index}` }]
      : [],
  );
  return {
    single: shown.filter(({ group }) => !group).map((row) => insertStatement(ctx, row)),
    grouped: shown.flatMap(({ group, ...row }) =>
      group ? [joinGroupStatement(ctx, row, group), openGroupStatement(ctx, row, group)] : [],
    ),
  };
}

type ShownRow = Pick<CategorizedNotification, "kind" | "about" | "body" | "path"> & {
  personId: string;
  sourceKey: string;
};

const insertStatement = (
  ctx: Context,
  { personId, kind, about, body, path, sourceKey }: ShownRow,
): DbStatement =>
  ctx.db
    .insert(notifications)
    .values({
      id: ctx.newId(),
      personId,
      kind,
      body,
      path,
      sourceKey,
      createdAt: ctx.now(),
      section: NOTIFICATION_KINDS[about].section,
    })
    .onConflictDoNothing();

/** The id of the unread row of the group that still takes new ones: the newest, if undo made two. */
const openGroupId = (ctx: Context, personId: string, key: string): SQL =>
  sql`(SELECT open.id FROM notifications open WHERE open.person_id = ${personId} AND open.group_key = ${key} AND open.read_at IS NULL AND open.group_since > CAST(${ctx.now() - GROUP_MS} AS INTEGER) ORDER BY open.group_since DESC LIMIT 1)`;

const joinGroupStatement = (
  ctx: Context,
  { personId, path }: ShownRow,
  { key, actorId, actorName, two, many }: NotificationGroup,
): DbStatement =>
  ctx.db
    .update(notifications)
    .set({
      body: sql`REPLACE(CASE ${notifications.groupCount} WHEN 1 THEN ${two} ELSE ${many} END, ${OTHERS_COUNT}, ${notifications.groupCount})`,
      path,
      groupCount: sql`${notifications.groupCount} + 1`,
      groupActorId: actorId,
      groupActorName: actorName,
      createdAt: ctx.now(),
    })
    .where(sql`${notifications.id} = ${openGroupId(ctx, personId, key)}`);

/** Runs after `joinGroupStatement`: opens a group where none is open. */
const openGroupStatement = (
  ctx: Context,
  { personId, kind, about, body, path, sourceKey }: ShownRow,
  { key, actorId, actorName }: NotificationGroup,
): DbStatement =>
  ctx.db
    .insert(notifications)
    .select(
      sql`SELECT ${ctx.newId()}, ${personId}, ${kind}, ${body}, ${path}, ${sourceKey}, NULL, CAST(${ctx.now()} AS INTEGER), ${NOTIFICATION_KINDS[about].section}, ${key}, 1, CAST(${ctx.now()} AS INTEGER), ${actorId}, ${actorName}
        WHERE ${openGroupId(ctx, personId, key)} IS NULL`,
    )
    .onConflictDoNothing();
