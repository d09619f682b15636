import { and, eq } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { PlatformMoneyRefused } from "#app/domain/ledger/errors.ts";
import {
  platformOwnCentsSql,
  platformMoneyOverview,
  platformWithdrawalRow,
} from "#app/domain/ledger/platform-money/queries/platform-money.server.ts";
import type { PlatformWithdrawal } from "#app/domain/ledger/platform-money/queries/platform-money.server.ts";
import { compareProviderBalances } from "#app/domain/ledger/platform-money/queries/provider-balances.server.ts";
import {
  providerTransferRow,
  providerNames,
  providerBookBalances,
} from "#app/domain/ledger/platform-money/queries/providers.server.ts";
import { platformDeposited, platformWithdrawn } from "#app/domain/ledger/rules.ts";
import { balancesProblem } from "#app/domain/ledger/platform-money/rules/provider-balances.ts";
import {
  movementDayProblem,
  PLATFORM_CASH_NAME,
} from "#app/domain/ledger/platform-money/rules/platform-money.ts";
import type { Cents } from "#app/domain/money.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { LedgerMessage } from "#app/domain/ledger/schema/outbox.ts";
import { platformWithdrawals, providerMoves } from "#drizzle/schema/ledger.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";

/**
 * `id` comes with the form: submitting it again changes nothing. `amountCents` in centavos,
 * `movedOn` a São Paulo day as `YYYY-MM-DD`.
 */
export type PlatformMoney = {
  id: string;
  provider: string;
  amountCents: Cents;
  movedOn: string;
  note: string;
  personId: string;
};

/**
 * Books a bank deposit of the platform into a provider's account, so that payouts can be sent.
 *
 * Refuses PlatformMoneyRefused: a provider that is not configured, a future day or one too long
 * ago, or the same form with other figures. Source: domain rules, "Ledger";
 * docs/decisions/money/require-a-second-person-for-risky-money-decisions.md.
 */
export async function recordPlatformDeposit(ctx: Context, put: PlatformMoney): Promise<void> {
  const { id, provider, amountCents, movedOn, note, personId } = put;
  refuseUnlikely(ctx, "in", put);
  if (await isNoted(ctx, put)) return;
  try {
    await commit(ctx.db, [
      ctx.db.insert(providerMoves).values({
        id,
        fromProvider: PLATFORM_CASH_NAME,
        toProvider: provider,
        amountCents,
        note,
        movedBy: personId,
        createdAt: ctx.now(),
        movedOn,
      }),
      ...postingStatements(ctx, platformDeposited(put)),
    ]);
  } catch (error) {
    // A concurrent request was faster.
    if (!(error instanceof RuleViolation) || !(await isNoted(ctx, put))) throw error;
  }
}

/**
 * Requests a withdrawal of the platform's money from a provider's account, and notifies the others
 * of `moderatorIds`.
 *
 * Nothing is booked until one of them approves it. Refuses what `recordPlatformDeposit` refuses,
 * and more than the books have there or than belongs to the platform.
 */
export async function requestPlatformWithdrawal(
  ctx: Context,
  asked: PlatformMoney & { moderatorIds: string[] },
): Promise<void> {
  const { id, provider, amountCents, movedOn, note, personId } = asked;
  refuseUnlikely(ctx, "out", asked);
  if (await isAsked(ctx, asked)) return;
  const [{ ownCents }, { providers }] = await Promise.all([
    platformMoneyOverview(ctx),
    providerBookBalances(ctx),
  ]);
  if (amountCents > (providers.find(({ name }) => name === provider)?.cents ?? 0))
    throw new PlatformMoneyRefused("less");
  if (amountCents > ownCents) throw new PlatformMoneyRefused("own");
  const others = asked.moderatorIds.filter((moderatorId) => moderatorId !== personId);
  const key = `platform-withdrawal:${id}:asked`;
  try {
    await commit(ctx.db, [
      ctx.db.insert(platformWithdrawals).values({
        id,
        provider,
        amountCents,
        movedOn,
        note,
        state: "asked",
        askedBy: personId,
        askedAt: ctx.now(),
      }),
      ...(others.length > 0
        ? [
            announce<LedgerMessage>(ctx, key, {
              type: "platform.withdrawal_asked",
              moderatorIds: others,
              provider,
              amountCents,
            }),
          ]
        : []),
    ]);
  } catch (error) {
    if (!(error instanceof RuleViolation) || !(await isAsked(ctx, asked))) throw error;
    return;
  }
  if (others.length > 0)
    await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
}

/**
 * Decides a requested withdrawal: an approval books it in the same batch, a refusal ends it. The
 * requester may refuse it too.
 *
 * Refuses PlatformMoneyRefused for one that does not exist or was decided, and for an approval of
 * one's own request. It refuses more than the books have there, or than belongs to the platform
 * now. It also refuses any approval while a provider has less than the books say
 * (`balancesProblem`). The database enforces both amounts: two approvals at once do not take the
 * same money.
 */
export async function decidePlatformWithdrawal(
  ctx: Context,
  { id, decision, personId }: { id: string; decision: "approved" | "refused"; personId: string },
): Promise<void> {
  const asked = await platformWithdrawalRow(ctx, { id });
  if (!asked) throw new PlatformMoneyRefused("missing");
  if (asked.state !== "asked") throw new PlatformMoneyRefused("decided");
  if (decision === "approved" && asked.askedBy === personId)
    throw new PlatformMoneyRefused("same_person");
  const problem =
    decision === "approved" ? balancesProblem(await compareProviderBalances(ctx)) : null;
  if (problem) throw new PlatformMoneyRefused(problem);
  const decided = mustChangeOne(
    ctx.db
      .update(platformWithdrawals)
      .set({ state: decision, decidedBy: personId, decidedAt: ctx.now() })
      .where(and(eq(platformWithdrawals.id, id), eq(platformWithdrawals.state, "asked"))),
  );
  try {
    await commit(ctx.db, decision === "approved" ? [decided, ...takenOut(ctx, asked)] : [decided]);
  } catch (error) {
    throw refusalOf(error);
  }
}

function takenOut(ctx: Context, asked: PlatformWithdrawal) {
  const { id, provider, amountCents, movedOn, note, askedBy } = asked;
  return [
    ctx.db.insert(providerMoves).values({
      id,
      fromProvider: provider,
      toProvider: PLATFORM_CASH_NAME,
      amountCents,
      note,
      movedBy: askedBy,
      createdAt: ctx.now(),
      movedOn,
      ownCents: platformOwnCentsSql,
    }),
    ...postingStatements(ctx, platformWithdrawn(asked)),
  ];
}

function refusalOf(error: unknown): unknown {
  if (error instanceof StaleWrite) return new PlatformMoneyRefused("decided");
  if (!(error instanceof RuleViolation)) return error;
  switch (error.rule) {
    case "ledger_holds_less":
      return new PlatformMoneyRefused("less");
    case "ledger_not_own":
      return new PlatformMoneyRefused("own");
    default:
      return error;
  }
}

function refuseUnlikely(
  ctx: Context,
  way: "in" | "out",
  { provider, movedOn }: PlatformMoney,
): void {
  if (!providerNames(ctx).includes(provider)) throw new PlatformMoneyRefused("unknown");
  const problem = movementDayProblem(way, { movedOn, now: ctx.now() });
  if (problem) throw new PlatformMoneyRefused(problem);
}

async function isNoted(
  ctx: Context,
  { id, provider, amountCents, movedOn, note }: PlatformMoney,
): Promise<boolean> {
  const row = await providerTransferRow(ctx, { id });
  if (
    row &&
    (row.fromProvider !== PLATFORM_CASH_NAME ||
      row.toProvider !== provider ||
      row.amountCents !== amountCents ||
      row.movedOn !== movedOn ||
      row.note !== note)
  )
    throw new PlatformMoneyRefused("taken");
  return row !== null;
}

async function isAsked(
  ctx: Context,
  { id, provider, amountCents, movedOn, note }: PlatformMoney,
): Promise<boolean> {
  const row = await platformWithdrawalRow(ctx, { id });
  if (
    row &&
    (row.provider !== provider ||
      row.amountCents !== amountCents ||
      row.movedOn !== movedOn ||
      row.note !== note)
  )
    throw new PlatformMoneyRefused("taken");
  return row !== null;
}
