import { and, eq, isNull, sql } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { DbStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  isNotificationKind,
  isOptional,
  NOTIFICATION_CHANNELS,
  NOTIFICATION_KINDS,
  OPENINGS_CHOICE,
} from "#app/domain/notifications/rules/kinds.ts";
import type {
  NotificationChannel,
  NotificationKind,
} from "#app/domain/notifications/rules/kinds.ts";
import { UnsubscribeAddressInvalid } from "#app/domain/notifications/errors.ts";
import { nextDigestAt } from "#app/domain/notifications/rules/digests.ts";
import type { DigestRhythm } from "#app/domain/notifications/rules/digests.ts";
import { emailsOfPeople } from "#app/domain/notifications/queries.server.ts";
import { creatorOfSubject } from "#app/domain/notifications/schema.ts";
import type { UnsubscribeSubject } from "#app/domain/notifications/schema.ts";
import { hoursOf } from "#app/domain/notifications/queries/sending.server.ts";
import { DEFAULT_HOURS } from "#app/domain/notifications/rules/quiet-hours.ts";
import type { NotificationHours } from "#app/domain/notifications/rules/quiet-hours.ts";
import {
  newsletterStops,
  notificationChoices,
  notificationDeliveries,
  notificationDigests,
  notificationHours,
} from "#drizzle/schema/notifications.ts";

const PURPOSE = "unsubscribe";

/** Each kind and channel that a person may switch off. */
const OPTIONS = Object.keys(NOTIFICATION_KINDS).flatMap((kind) =>
  NOTIFICATION_CHANNELS.filter((channel) => isOptional(kind as NotificationKind, channel)).map(
    (channel) => ({ kind: kind as NotificationKind, channel }),
  ),
);

/**
 * Builds the address that stops the emails about `kind`, for the end of an email and its header
 * (RFC 8058). It works without signing in, for as long as the account exists.
 */
export async function unsubscribeAddress(
  ctx: Context,
  { personId, kind }: { personId: string; kind: UnsubscribeSubject },
): Promise<string> {
  const signature = await ctx.signer.sign(PURPOSE, `${personId}:${kind}`);
  return `${ctx.settings.appOrigin}/unsubscribe/${personId}/${kind}/${signature}`;
}

/**
 * Replaces what a person wants to hear of. `on` lists what stays switched on, each as
 * `kind:channel`; what nobody may switch off stays on. `digest` is how often what is unread comes
 * by email. `hours` are their time zone and quiet hours; without it they stay.
 */
export async function chooseNotifications(
  ctx: Context,
  {
    personId,
    on,
    digest,
    shown,
    channels = NOTIFICATION_CHANNELS,
    areOpeningsCounted,
    hours,
  }: {
    personId: string;
    on: readonly string[];
    digest: DigestRhythm;
    /** Kinds that the form showed: the choices about others stay. */
    shown: readonly NotificationKind[];
    /** Channels that the form showed. */
    channels?: readonly NotificationChannel[];
    /** Without it the choice stays. */
    areOpeningsCounted?: boolean | undefined;
    hours?: NotificationHours;
  },
): Promise<void> {
  const { timeZone } = hours ?? (await hoursOf(ctx, { personId }));
  await commit(ctx.db, [
    ...OPTIONS.filter(
      ({ kind, channel }) => shown.includes(kind) && channels.includes(channel),
    ).map(({ kind, channel }) =>
      choiceStatement(ctx, { personId, kind, channel, isOn: on.includes(`${kind}:${channel}`) }),
    ),
    ...(areOpeningsCounted === undefined
      ? []
      : [choiceStatement(ctx, { personId, ...OPENINGS_CHOICE, isOn: areOpeningsCounted })]),
    digestStatement(ctx, { personId, rhythm: digest, timeZone }),
    ...(hours ? hoursStatements(ctx, { personId, hours }) : []),
  ]);
}

/** What waits already is asked about again, so that shorter quiet hours let it go. */
function hoursStatements(
  ctx: Context,
  { personId, hours: { timeZone, quiet } }: { personId: string; hours: NotificationHours },
): DbStatement[] {
  const row = {
    timeZone,
    quietFromMinute: quiet?.fromMinute ?? null,
    quietUntilMinute: quiet?.untilMinute ?? null,
  };
  return [
    ctx.db
      .insert(notificationHours)
      .values({ personId, ...row })
      .onConflictDoUpdate({ target: notificationHours.personId, set: row }),
    ctx.db
      .update(notificationDeliveries)
      .set({ dueAt: ctx.now() })
      .where(
        and(
          eq(notificationDeliveries.personId, personId),
          eq(notificationDeliveries.attempts, 0),
          isNull(notificationDeliveries.endedAt),
        ),
      ),
  ];
}

const choiceStatement = (
  ctx: Context,
  choice: {
    personId: string;
    kind: NotificationKind | typeof OPENINGS_CHOICE.kind;
    channel: NotificationChannel;
    isOn: boolean;
  },
): DbStatement =>
  ctx.db
    .insert(notificationChoices)
    .values(choice)
    .onConflictDoUpdate({
      target: [notificationChoices.personId, notificationChoices.kind, notificationChoices.channel],
      set: { isOn: choice.isOn },
    });

/**
 * A digest is about what comes from now on. The same rhythm in the same time zone again changes
 * nothing. Runs before the person's time zone is stored.
 */
function digestStatement(
  ctx: Context,
  { personId, rhythm, timeZone }: { personId: string; rhythm: DigestRhythm; timeZone: string },
): DbStatement {
  if (rhythm === "never")
    return ctx.db.delete(notificationDigests).where(eq(notificationDigests.personId, personId));
  const now = ctx.now();
  const dueAt = nextDigestAt(rhythm, { now, timeZone });
  const formerZone = sql`COALESCE((SELECT former.time_zone FROM notification_hours former WHERE former.person_id = ${personId}), ${DEFAULT_HOURS.timeZone})`;
  return ctx.db
    .insert(notificationDigests)
    .values({ personId, rhythm, dueAt, sentUntil: now })
    .onConflictDoUpdate({
      target: notificationDigests.personId,
      set: { rhythm, dueAt },
      setWhere: sql`${notificationDigests.rhythm} <> ${rhythm} OR ${formerZone} <> ${timeZone}`,
    });
}

/**
 * Stops the emails that an email's address is about, or sends them again. Safe to repeat. Refuses
 * UnsubscribeAddressInvalid.
 */
export async function setEmailsStopped(
  ctx: Context,
  {
    personId,
    kind,
    signature,
    isStopped,
  }: { personId: string; kind: UnsubscribeSubject; signature: string; isStopped: boolean },
): Promise<void> {
  if (!(await isUnsubscribeAddress(ctx, { personId, kind, signature })))
    throw new UnsubscribeAddressInvalid();
  const { timeZone } = await hoursOf(ctx, { personId });
  await commit(ctx.db, [stopStatement(ctx, { personId, kind, isStopped, timeZone })]);
}

/** Sends a person a creator's posts by email again. Safe to repeat. */
export async function resumeNewsletter(
  ctx: Context,
  { personId, creatorId }: { personId: string; creatorId: string },
): Promise<void> {
  await commit(ctx.db, [newsletterStopStatement(ctx, { personId, creatorId, isStopped: false })]);
}

function stopStatement(
  ctx: Context,
  {
    personId,
    kind,
    isStopped,
    timeZone,
  }: { personId: string; kind: UnsubscribeSubject; isStopped: boolean; timeZone: string },
): DbStatement {
  if (kind === "digest")
    return digestStatement(ctx, { personId, rhythm: isStopped ? "never" : "weekly", timeZone });
  if (isNotificationKind(kind))
    return choiceStatement(ctx, { personId, kind, channel: "mail", isOn: !isStopped });
  return newsletterStopStatement(ctx, {
    personId,
    creatorId: creatorOfSubject(kind) ?? "",
    isStopped,
  });
}

const newsletterStopStatement = (
  ctx: Context,
  { personId, creatorId, isStopped }: { personId: string; creatorId: string; isStopped: boolean },
): DbStatement =>
  isStopped
    ? ctx.db
        .insert(newsletterStops)
        .values({ personId, creatorId, stoppedAt: ctx.now() })
        .onConflictDoNothing()
    : ctx.db
        .delete(newsletterStops)
        .where(
          and(eq(newsletterStops.personId, personId), eq(newsletterStops.creatorId, creatorId)),
        );

/** Returns whether the product wrote the address, to an account that exists, about optional emails. */
export async function isUnsubscribeAddress(
  ctx: Context,
  { personId, kind, signature }: { personId: string; kind: UnsubscribeSubject; signature: string },
): Promise<boolean> {
  return (
    (!isNotificationKind(kind) || isOptional(kind, "mail")) &&
    (await ctx.signer.isGenuine(PURPOSE, `${personId}:${kind}`, signature)) &&
    (await emailsOfPeople(ctx, { personIds: [personId] })).has(personId)
  );
}
