import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { canSellSql } from "#app/domain/documents/queries.server.ts";

/** Whether a person can put a price on a file: a creator whose documents allow sales now. */
export async function canSellFiles(
  ctx: Context,
  { personId }: { personId: string },
): Promise<boolean> {
  const row = await ctx.db
    .select({
      sells: canSellSql(sql`p.person_id`, ctx.now())
        .mapWith(Number)
        .as("sells_now"),
    })
    .from(sql`profiles p`)
    .where(sql`p.person_id = ${personId} AND p.is_creator = 1`)
    .get();
  return row?.sells === 1;
}

export type GivenTip = { payerId: string; creatorId: string; amountCents: number };

/** The key of the outbox message of a paid tip. */
const GIVEN = /^tip:[^:]+:given$/;

/** Reads the tip of an outbox message that announces a paid one; null for other messages. */
export async function givenTipOf(
  ctx: Context,
  { outboxId }: { outboxId: string },
): Promise<GivenTip | null> {
  if (!GIVEN.test(outboxId)) return null;
  const field = (name: string) => sql`json_extract(given.payload, ${`$.${name}`})`;
  const row = await ctx.db
    .select({
      payerId: sql<string | null>`${field("payerId")}`.as("tip_payer_id"),
      creatorId: sql<string | null>`${field("creatorId")}`.as("tip_creator_id"),
      amountCents: sql<number | null>`${field("amountCents")}`.as("tip_amount"),
    })
    .from(sql`outbox given`)
    .where(sql`given.id = ${outboxId} AND given.quarantined_at IS NULL`)
    .get();
  if (!row?.payerId || !row.creatorId || row.amountCents === null) return null;
  return { payerId: row.payerId, creatorId: row.creatorId, amountCents: row.amountCents };
}
