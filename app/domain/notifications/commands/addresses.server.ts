import { and, isNull, lt, or, sql } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { normalizedAddress } from "#app/domain/notifications/rules/addresses.ts";
import type { MailEvent } from "#app/domain/notifications/rules/addresses.ts";
import type { AddressMessage } from "#app/domain/notifications/schema/outbox.ts";
import { announceToEach } from "#app/domain/outbox.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { stoppedAddresses } from "#drizzle/schema/notifications.ts";

const COLUMNS = { bounced: "bouncedAt", complained: "complainedAt" } as const;

/**
 * Records what became of an email. A permanent bounce or a complaint stops the address
 * (`isAddressOpen`) and tells its owner in the list; after a temporary bounce the service tries
 * again by itself. An event from before the owner asked for emails again changes nothing. Safe to
 * repeat and in any order.
 */
export async function recordMailEvent(ctx: Context, event: MailEvent): Promise<void> {
  const { type: reason, isPermanent, occurredAt } = event;
  ctx.log("mail.reported", { reason, isPermanent });
  if (reason === "bounced" && !isPermanent) return;
  const address = normalizedAddress(event.address);
  const column = COLUMNS[reason];
  const stoppedAt = sql.raw(reason === "bounced" ? "bounced_at" : "complained_at");
  const isKnown = sql`EXISTS (SELECT 1 FROM stopped_addresses stopped WHERE stopped.address = ${address} AND (stopped.${stoppedAt} IS NOT NULL OR stopped.resumed_at >= ${occurredAt}))`;
  const owners = sql`SELECT 'address:' || owner.id || ':' || CAST(${occurredAt} AS INTEGER) || ${`:${reason}`} AS key, owner.id AS person_id FROM people owner WHERE owner.email IN (${event.address}, ${address}) AND owner.deleted_at IS NULL AND NOT ${isKnown}`;
  await commit(ctx.db, [
    announceToEach<AddressMessage>(ctx, owners, { type: "address.stopped", reason }),
    ctx.db
      .insert(stoppedAddresses)
      .values({ address, [column]: occurredAt })
      .onConflictDoUpdate({
        target: stoppedAddresses.address,
        set: {
          [column]: sql`COALESCE(${stoppedAddresses[column]}, CAST(${occurredAt} AS INTEGER))`,
        },
        setWhere: sql`COALESCE(${stoppedAddresses.resumedAt}, 0) < ${occurredAt}`,
      }),
  ]);
}

/** Stops an address that the email service refuses: a hard bounce or a complaint came before. */
export const recordSuppressed = async (ctx: Context, address: string): Promise<void> =>
  await recordMailEvent(ctx, {
    type: "bounced",
    address,
    isPermanent: true,
    occurredAt: ctx.realNow(),
  });

/**
 * Tries emails to the person's address again, as they ask: of the two reasons it ends the one that
 * they were shown. Where the email service itself still refuses the address, the next email stops
 * it again. Safe to repeat.
 */
export async function resumeAddress(
  ctx: Context,
  { personId, reason }: { personId: string; reason: MailEvent["type"] },
): Promise<void> {
  await commit(ctx.db, [
    ctx.db
      .update(stoppedAddresses)
      .set({ [COLUMNS[reason]]: null, resumedAt: ctx.realNow() })
      .where(
        sql`${stoppedAddresses.address} = (SELECT lower(own.email) FROM people own WHERE own.id = ${personId})`,
      ),
  ]);
}

const REMEMBERED_MS = 2 * 365 * DAY_MS;

/** Forgets what was reported about an address two years ago: it may be another person's by now. */
export async function forgetStoppedAddresses(ctx: Context): Promise<void> {
  const { bouncedAt, complainedAt, resumedAt } = stoppedAddresses;
  const before = ctx.realNow() - REMEMBERED_MS;
  await ctx.db
    .delete(stoppedAddresses)
    .where(
      and(
        or(isNull(bouncedAt), lt(bouncedAt, before)),
        or(isNull(complainedAt), lt(complainedAt, before)),
        or(isNull(resumedAt), lt(resumedAt, before)),
      ),
    );
}
