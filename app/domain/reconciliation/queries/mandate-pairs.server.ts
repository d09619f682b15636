import { and, asc, eq, gt, isNotNull, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { OurMandate } from "#app/domain/reconciliation/rules/compare.ts";
import { recurringPix } from "#drizzle/schema/subscriptions.ts";
import { preferProviderId, listedIds, isInSql, listedReferences } from "./pairs.server.ts";
import { idRangeSql, isUnlistedSql } from "./unlisted.server.ts";
import type { MatchedRow, ListedPage } from "./pairs.server.ts";
import type { UnlistedRequest, UnlistedRow } from "./unlisted.server.ts";

export type MatchedMandate = OurMandate & MatchedRow;

/** Loads our mandates for a page, by the provider's id. One round trip. */
export async function matchMandates(
  ctx: Context,
  listed: ListedPage,
): Promise<Map<string, MatchedMandate>> {
  const isTheirs = eq(recurringPix.provider, listed.provider);
  const [byProviderId, byOurId] = await ctx.db.batch([
    mandateRows(
      ctx,
      and(isTheirs, isInSql(recurringPix.providerRecurringPixId, listedIds(listed))),
    ),
    mandateRows(ctx, and(isTheirs, isInSql(recurringPix.id, listedReferences(listed)))),
  ]);
  return preferProviderId(listed, [...byOurId, ...byProviderId]);
}

function mandateRows(ctx: Context, where: SQL | undefined) {
  return ctx.db
    .select({
      id: recurringPix.id,
      providerId: recurringPix.providerRecurringPixId,
      status: recurringPix.status,
      amountCents: recurringPix.amountCents,
      movedAt: recurringPix.askedAt,
    })
    .from(recurringPix)
    .where(where);
}

/** Lists mandates that we count as living and that the provider did not list. */
export async function unlistedMandates(
  ctx: Context,
  { runId, provider, after, until, limit }: UnlistedRequest,
): Promise<UnlistedRow[]> {
  return await ctx.db
    .select({
      id: recurringPix.id,
      providerId: sql<string>`${recurringPix.providerRecurringPixId}`.as("provider_id"),
    })
    .from(recurringPix)
    .where(
      and(
        gt(recurringPix.id, after),
        lt(recurringPix.id, until),
        idRangeSql(recurringPix.provider, provider),
        idRangeSql(recurringPix.status, "created", "active"),
        isNotNull(recurringPix.providerRecurringPixId),
        isUnlistedSql("authorisation", recurringPix.providerRecurringPixId, runId),
      ),
    )
    .orderBy(asc(recurringPix.id))
    .limit(limit);
}
