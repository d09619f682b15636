import { notInArray } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { invariantFindings } from "#app/domain/ledger/queries.server.ts";
import { lastChecks } from "#app/domain/ledger/queries/checks.server.ts";
import { breaksNow, holdsPayouts } from "#app/domain/ledger/rules/checks.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { ledgerChecks } from "#drizzle/schema/ledger.ts";

/**
 * Looks at every invariant of the books and keeps what was found. One that breaks is logged each time and told to `moderatorIds` once, until it
 * holds again; while one of money is broken no payout is claimed. Gives how many are broken.
 */
export async function checkBooks(ctx: Context, { moderatorIds }: { moderatorIds: string[] }): Promise<number> {
  const [findings, before] = await Promise.all([invariantFindings(ctx), lastChecks(ctx)]);
  const now = ctx.realNow();
  const broken = findings.filter(({ rows }) => rows.length > 0);
  for (const { name, rows } of broken) ctx.log("ledger.invariant_broken", { invariant: name, rows: rows.length, first: JSON.stringify(rows[0]) });
  const news = broken.filter(({ name, rows }) => breaksNow(rows.length, before.get(name)));
  const key = `ledger:${ctx.newId()}:broken`;
  await commit(ctx.db, [
    ...findings.map(({ name, rows }) => {
      const found = {
        checkedAt: now,
        brokenCount: rows.length,
        example: rows[0] ? JSON.stringify(rows[0]) : null,
        brokenSince: rows.length === 0 ? null : (before.get(name)?.brokenSince ?? now),
        holdsPayouts: holdsPayouts(name),
      };
      return ctx.db.insert(ledgerChecks).values({ name, ...found }).onConflictDoUpdate({ target: ledgerChecks.name, set: found });
    }),
    // What is no invariant any more holds nothing.
    ctx.db.delete(ledgerChecks).where(notInArray(ledgerChecks.name, findings.map(({ name }) => name))),
    ...(news.length > 0 && moderatorIds.length > 0
      ? [announce(ctx, key, { type: "ledger.broken", moderatorIds, titles: news.map(({ title }) => title), holdsPayouts: news.some(({ name }) => holdsPayouts(name)) })]
      : []),
  ]);
  if (news.length > 0 && moderatorIds.length > 0) await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
  return broken.length;
}
