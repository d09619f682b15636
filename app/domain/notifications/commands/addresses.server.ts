import { sql } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { comparable } from "#app/domain/notifications/rules/addresses.ts";
import type { MailEvent } from "#app/domain/notifications/rules/addresses.ts";
import { stoppedAddresses } from "#drizzle/schema/notifications.ts";

/**
 * Records what became of an email. A permanent bounce or a complaint stops the address
 * (`isAddressOpen`); after a temporary bounce the service tries again by itself. An event from
 * before the owner asked for emails again changes nothing. Safe to repeat and in any order.
 */
export async function recordMailEvent(ctx: Context, event: MailEvent): Promise<void> {
  const { type, isPermanent } = event;
  ctx.log("mail.reported", { type, isPermanent });
  if (type === "bounced" && !isPermanent) return;
  const column = type === "bounced" ? "bouncedAt" : "complainedAt";
  await commit(ctx.db, [
    ctx.db
      .insert(stoppedAddresses)
      .values({ address: comparable(event.address), [column]: event.occurredAt })
      .onConflictDoUpdate({
        target: stoppedAddresses.address,
        set: {
          [column]: sql`COALESCE(${stoppedAddresses[column]}, CAST(${event.occurredAt} AS INTEGER))`,
        },
        setWhere: sql`COALESCE(${stoppedAddresses.resumedAt}, 0) < ${event.occurredAt}`,
      }),
  ]);
}

/** Sends emails to the person's address again, as they ask. Safe to repeat. */
export async function resumeAddress(
  ctx: Context,
  { personId }: { personId: string },
): Promise<void> {
  await commit(ctx.db, [
    ctx.db
      .update(stoppedAddresses)
      .set({ bouncedAt: null, complainedAt: null, resumedAt: ctx.realNow() })
      .where(
        sql`${stoppedAddresses.address} = (SELECT lower(own.email) FROM people own WHERE own.id = ${personId})`,
      ),
  ]);
}
