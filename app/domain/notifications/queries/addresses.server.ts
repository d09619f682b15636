import { eq, isNotNull, or, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { normalizedAddress } from "#app/domain/notifications/rules/addresses.ts";
import type { AddressStatus } from "#app/domain/notifications/rules/addresses.ts";
import type { Instant } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { stoppedAddresses } from "#drizzle/schema/notifications.ts";

/** Why a person gets fewer emails, or none, and since when (real time). */
export type StoppedAddress = { email: string; reason: "bounced" | "complained"; since: Instant };

/** Returns what stops a person's address; null where nothing does. */
export async function stoppedAddressOf(
  ctx: Context,
  { personId }: { personId: string },
): Promise<StoppedAddress | null> {
  const { bouncedAt, complainedAt } = stoppedAddresses;
  const statement = ctx.db
    .select({ email: people.email, bouncedAt, complainedAt })
    .from(people)
    .innerJoin(stoppedAddresses, sql`${stoppedAddresses.address} = lower(${people.email})`)
    .where(eq(people.id, personId));
  // A batch of one joins what the rest of the page reads.
  const [[row]] = await ctx.db.batch([statement]);
  if (!row) return null;
  if (row.bouncedAt !== null) return { email: row.email, reason: "bounced", since: row.bouncedAt };
  if (row.complainedAt !== null)
    return { email: row.email, reason: "complained", since: row.complainedAt };
  return null;
}

/** Returns what was reported about addresses, by address in lower case. Others have no entry. */
export async function addressStatuses(
  ctx: Context,
  { addresses }: { addresses: readonly string[] },
): Promise<Map<string, AddressStatus>> {
  if (addresses.length === 0) return new Map();
  const { address, bouncedAt, complainedAt } = stoppedAddresses;
  const rows = await ctx.db
    .select({ address, bouncedAt, complainedAt })
    .from(stoppedAddresses)
    .where(
      sql`${address} IN (SELECT value FROM json_each(${JSON.stringify(addresses.map(normalizedAddress))})) AND ${or(isNotNull(bouncedAt), isNotNull(complainedAt))}`,
    );
  return new Map(
    rows.map((row) => [
      row.address,
      { hasBounced: row.bouncedAt !== null, hasComplained: row.complainedAt !== null },
    ]),
  );
}
