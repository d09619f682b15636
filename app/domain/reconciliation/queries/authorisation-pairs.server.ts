import { and, asc, eq, gt, isNotNull, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { OurAuthorisation } from "#app/domain/reconciliation/rules/compare.ts";
import { recurringPix } from "#drizzle/schema/subscriptions.ts";
import { among, byProviderId, idsOf, isIn, isUnseen, referencesOf } from "./pairs.server.ts";
import type { Known, Listed, Unseen, UnseenRow } from "./pairs.server.ts";

export type KnownAuthorisation = OurAuthorisation & Known;

/** Our authorisations behind a page, by the provider's id. One round trip. */
export async function authorisationsKnownAs(
  ctx: Context,
  listed: Listed,
): Promise<Map<string, KnownAuthorisation>> {
  const isTheirs = eq(recurringPix.provider, listed.provider);
  const [named, told] = await ctx.db.batch([
    facts(ctx, and(isTheirs, isIn(recurringPix.providerRecurringPixId, idsOf(listed)))),
    facts(ctx, and(isTheirs, isIn(recurringPix.id, referencesOf(listed)))),
  ]);
  return byProviderId(listed, [...told, ...named]);
}

function facts(ctx: Context, where: SQL | undefined) {
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

/** Authorisations that we count on and that the provider did not list. */
export async function unseenAuthorisations(
  ctx: Context,
  { runId, provider, after, until, limit }: Unseen,
): Promise<UnseenRow[]> {
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
        among(recurringPix.provider, provider),
        among(recurringPix.status, "created", "active"),
        isNotNull(recurringPix.providerRecurringPixId),
        isUnseen("authorisation", recurringPix.providerRecurringPixId, runId),
      ),
    )
    .orderBy(asc(recurringPix.id))
    .limit(limit);
}
