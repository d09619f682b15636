import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { DbStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { NOTIFICATION_KINDS } from "#app/domain/notifications/rules/kinds.ts";
import { isChosen } from "#app/domain/notifications/rules/deliveries.ts";
import type { Delivery } from "#app/domain/notifications/rules/deliveries.ts";
import type { KindedNotification, NotificationGroup } from "#app/domain/outbox.ts";
import { isHiddenPath } from "#app/lib/uncompleted-features.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";

/** How long an unread group takes new ones. */
const GROUP_MS = 12 * HOUR_MS;

/**
 * Builds the statements of the rows of one message: one for each recipient with an account who did
 * not switch the kind off, none that would lead to a feature that is hidden, keyed by the message
 * and the recipient's index. Those that join a group are not safe to repeat.
 */
export function rowStatements(
  ctx: Context,
  { outboxId, drafts, choices }: Delivery,
): { single: DbStatement[]; grouped: DbStatement[] } {
  const shown = [...drafts.entries()].flatMap(([index, draft]) =>
    draft.personId !== null &&
    isChosen(choices, draft, "app") &&
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

type ShownRow = Pick<KindedNotification, "kind" | "about" | "body" | "path"> & {
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

/** The unread row of the group that still takes new ones. */
const openGroup = (ctx: Context, personId: string, key: string): SQL =>
  sql`${notifications.personId} = ${personId} AND ${notifications.groupKey} = ${key} AND ${notifications.readAt} IS NULL AND ${notifications.groupSince} > CAST(${ctx.now() - GROUP_MS} AS INTEGER)`;

const joinGroupStatement = (
  ctx: Context,
  { personId, path }: ShownRow,
  { key, actorId, two, many }: NotificationGroup,
): DbStatement =>
  ctx.db
    .update(notifications)
    .set({
      body: sql`REPLACE(REPLACE(CASE ${notifications.groupCount} WHEN 1 THEN ${two} ELSE ${many} END, '{others}', ${notifications.groupCount}), '{total}', ${notifications.groupCount} + 1)`,
      path,
      groupCount: sql`${notifications.groupCount} + 1`,
      groupActorId: actorId,
      createdAt: ctx.now(),
    })
    .where(openGroup(ctx, personId, key));

/** Runs after `joinGroupStatement`: opens a group where none is open. */
const openGroupStatement = (
  ctx: Context,
  { personId, kind, about, body, path, sourceKey }: ShownRow,
  { key, actorId }: NotificationGroup,
): DbStatement =>
  ctx.db
    .insert(notifications)
    .select(
      sql`SELECT ${ctx.newId()}, ${personId}, ${kind}, ${body}, ${path}, ${sourceKey}, NULL, CAST(${ctx.now()} AS INTEGER), ${NOTIFICATION_KINDS[about].section}, ${key}, 1, CAST(${ctx.now()} AS INTEGER), ${actorId}
        WHERE NOT EXISTS (SELECT 1 FROM notifications WHERE ${openGroup(ctx, personId, key)})`,
    )
    .onConflictDoNothing();
