import { and, eq, lte, notInArray } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { latestChecks, checksStaleSince } from "#app/domain/audit/queries/checks.server.ts";
import type { InvariantCheck } from "#app/domain/audit/queries/checks.server.ts";
import {
  invariantFinding,
  invariants,
  invariantTitles,
} from "#app/domain/audit/queries/invariants.server.ts";
import type { InvariantFinding } from "#app/domain/audit/queries/invariants.server.ts";
import type { Invariant } from "#app/domain/audit/queries/invariants/moved.server.ts";
import {
  isPayoutBlocking,
  needsNotice,
  checkScope,
  fallbackCheckScope,
  repairPagePath,
  violationKey,
  retainedNotice,
} from "./rules.ts";
import type { CheckScope } from "./rules.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { counted, nounFor } from "#app/domain/text.ts";
import type { AuditMessage } from "./schema/outbox.ts";
import { ledgerChecks } from "#drizzle/schema/ledger.ts";

/**
 * Checks the ledger invariants and saves the findings.
 *
 * It checks what changed since the last check, and once a night everything (`checkScope`), or
 * everything now if `isWhole`. A broken invariant is logged each time. `moderatorIds` are notified
 * when it breaks, and at most once a day of new violations (`needsNotice`). While a money invariant
 * is broken, no payout is claimed.
 *
 * Returns how many invariants are broken, and how many checks failed: of those nothing new is
 * known.
 */
export async function checkBooks(
  ctx: Context,
  { moderatorIds, isWhole = false }: { moderatorIds: string[]; isWhole?: boolean },
): Promise<{ brokenCount: number; missedCount: number }> {
  const before = await latestChecks(ctx);
  const [seenUntil, now] = [ctx.now(), ctx.realNow()];
  const { findings, missedCount } = await findingsApart(ctx, (name) =>
    isWhole
      ? [{ kind: "whole" }]
      : [
          checkScope(name, before.get(name), { now: seenUntil, realNow: now }),
          fallbackCheckScope(name, before.get(name), seenUntil),
        ],
  );
  const broken = findings.filter(({ count }) => count > 0);
  for (const { name, count, rows } of broken)
    ctx.log("ledger.invariant_broken", {
      invariant: name,
      rows: count,
      first: JSON.stringify(rows[0]),
    });
  const newFindings =
    moderatorIds.length === 0
      ? []
      : broken.filter((finding) => needsNotice(brokenBy(finding), before.get(finding.name), now));
  const key = `ledger:${ctx.newId()}:broken`;
  await commit(ctx.db, [
    ...findings.map((finding) => {
      const { name, rows, count, isWhole: isAll } = finding;
      const found = {
        checkedAt: now,
        wholeAt: isAll ? now : (before.get(name)?.wholeAt ?? 0),
        seenUntil,
        brokenCount: count,
        example: rows[0] ? JSON.stringify(rows[0]) : null,
        notice: newFindings.includes(finding)
          ? { ...brokenBy(finding), at: now }
          : retainedNotice(before.get(name)?.notice ?? null, {
              ...brokenBy(finding),
              isWhole: isAll,
            }),
        brokenSince: count === 0 ? null : (before.get(name)?.brokenSince ?? now),
        holdsPayouts: isPayoutBlocking(name),
      };
      return ctx.db
        .insert(ledgerChecks)
        .values({ name, ...found })
        .onConflictDoUpdate({
          target: ledgerChecks.name,
          set: found,
          setWhere: isAll ? lte(ledgerChecks.checkedAt, now) : asRead(before.get(name)),
        });
    }),
    // An invariant that no longer exists holds nothing.
    ctx.db.delete(ledgerChecks).where(
      notInArray(
        ledgerChecks.name,
        invariantTitles.map(({ name }) => name),
      ),
    ),
    ...(newFindings.length > 0
      ? [announce<AuditMessage>(ctx, key, messageOf(newFindings, before, moderatorIds))]
      : []),
  ]);
  if (newFindings.length > 0)
    await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
  return { brokenCount: broken.length, missedCount };
}

const brokenBy = ({ count, rows }: InvariantFinding) => ({ count, keys: rows.map(violationKey) });

/**
 * Builds the notification. Invariants that just broke are separate from those that were broken and
 * have new violations.
 */
function messageOf(
  newFindings: readonly InvariantFinding[],
  before: ReadonlyMap<string, InvariantCheck>,
  moderatorIds: string[],
) {
  const wasBroken = ({ name }: InvariantFinding) => (before.get(name)?.notice ?? null) !== null;
  const titlesOf = (those: readonly InvariantFinding[]) =>
    those.map(({ title, count }) =>
      nounFor(count, title, `${title} (${counted(count, "caso", "casos")})`),
    );
  const places = [...new Set(newFindings.map(({ name }) => repairPagePath(name)))];
  return {
    type: "ledger.broken" as const,
    moderatorIds,
    titles: titlesOf(newFindings.filter((finding) => !wasBroken(finding))),
    moreTitles: titlesOf(newFindings.filter(wasBroken)),
    holdsPayouts: newFindings.some(({ name }) => isPayoutBlocking(name)),
    path: places.length === 1 ? (places[0] ?? undefined) : undefined,
  };
}

/**
 * Notifies the staff once that a money invariant was not checked for hours (`checksStaleSince`),
 * which holds payouts.
 *
 * Another worker than the one that checks runs it: a worker that does not run cannot report that.
 * `moderatorIds` is called only then.
 */
export async function notifyStaleChecks(
  ctx: Context,
  { moderatorIds }: { moderatorIds: () => Promise<string[]> },
): Promise<void> {
  const since = await checksStaleSince(ctx);
  if (since === null) return;
  ctx.log("ledger.unwatched", { since });
  const ids = await moderatorIds();
  if (ids.length > 0)
    await commit(ctx.db, [
      announce<AuditMessage>(ctx, `ledger:unwatched:${since}`, {
        type: "ledger.broken",
        moderatorIds: ids,
        titles: [UNWATCHED_TITLE],
        holdsPayouts: true,
      }),
    ]);
}

const UNWATCHED_TITLE = "Cada regra de dinheiro foi conferida nas últimas seis horas";

/**
 * Version guard of a check of recent changes. It is saved only if nobody else checked meanwhile: a
 * whole check may have found what this one cannot see.
 */
const asRead = (before: InvariantCheck | undefined) =>
  and(
    eq(ledgerChecks.checkedAt, before?.checkedAt ?? 0),
    eq(ledgerChecks.brokenCount, before?.brokenCount ?? 0),
  );

/**
 * Checks each invariant by the first of its scopes that does not fail. A query that is too large
 * for the database does not stop the others. `missedCount`: invariants for which every scope
 * failed.
 */
async function findingsApart(
  ctx: Context,
  looksAt: (name: string) => CheckScope[],
): Promise<{ findings: InvariantFinding[]; missedCount: number }> {
  let missedCount = 0;
  const asked = async (invariant: Invariant): Promise<InvariantFinding[]> => {
    const looks = looksAt(invariant.name).filter(
      ({ kind }, index) => kind !== "none" || index === 0,
    );
    for (const look of looks) {
      if (look.kind === "none") return [];
      try {
        return [await invariantFinding(ctx, invariant, look)];
      } catch (error) {
        ctx.log("ledger.look_failed", {
          invariant: invariant.name,
          look: look.kind,
          error: error instanceof Error ? error.message : "unknown",
        });
      }
    }
    missedCount += 1;
    return [];
  };
  const findings = (await Promise.all(invariants.map(asked))).flat();
  return { findings, missedCount };
}
