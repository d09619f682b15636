import { notInArray } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { invariantFindings, invariantTitles } from "#app/domain/ledger/queries.server.ts";
import { lastChecks } from "#app/domain/ledger/queries/checks.server.ts";
import { breaksNow, holdsPayouts, lookAt } from "#app/domain/ledger/rules/checks.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { ledgerChecks } from "#drizzle/schema/ledger.ts";

/**
 * Looks at the invariants of the books and keeps what was found: at what moved since the last look, and once a night at everything (`lookAt`), or now
 * where `isWhole`. One that breaks is logged each time and told to `moderatorIds` once, until it
 * holds again; while one of money is broken no payout is claimed. Gives how many are broken.
 */
export async function checkBooks(ctx: Context, { moderatorIds, isWhole = false }: { moderatorIds: string[]; isWhole?: boolean }): Promise<number> {
  const before = await lastChecks(ctx);
  const [seenUntil, now] = [ctx.now(), ctx.realNow()];
  const findings = await invariantFindings(ctx, (name) => (isWhole ? { kind: "whole" } : lookAt(name, before.get(name), { now: seenUntil, realNow: now })));
  const broken = findings.filter(({ rows }) => rows.length > 0);
  for (const { name, rows } of broken) ctx.log("ledger.invariant_broken", { invariant: name, rows: rows.length, first: JSON.stringify(rows[0]) });
  const news = broken.filter(({ name, rows }) => breaksNow(rows.length, before.get(name)));
  const key = `ledger:${ctx.newId()}:broken`;
  await commit(ctx.db, [
    ...findings.map(({ name, rows, isWhole: isAll }) => {
      const found = {
        checkedAt: now,
        wholeAt: isAll ? now : (before.get(name)?.wholeAt ?? 0),
        seenUntil,
        brokenCount: rows.length,
        example: rows[0] ? JSON.stringify(rows[0]) : null,
        brokenSince: rows.length === 0 ? null : (before.get(name)?.brokenSince ?? now),
        holdsPayouts: holdsPayouts(name),
      };
      return ctx.db.insert(ledgerChecks).values({ name, ...found }).onConflictDoUpdate({ target: ledgerChecks.name, set: found });
    }),
    // What is no invariant any more holds nothing.
    ctx.db.delete(ledgerChecks).where(notInArray(ledgerChecks.name, invariantTitles.map(({ name }) => name))),
    ...(news.length > 0 && moderatorIds.length > 0
      ? [announce(ctx, key, { type: "ledger.broken", moderatorIds, titles: news.map(({ title }) => title), holdsPayouts: news.some(({ name }) => holdsPayouts(name)) })]
      : []),
  ]);
  if (news.length > 0 && moderatorIds.length > 0) await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
  return broken.length;
}
