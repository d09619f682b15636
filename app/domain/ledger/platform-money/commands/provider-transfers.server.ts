import { commit } from "#app/db/client.server.ts";
import { RuleViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { ProviderTransferRefused } from "#app/domain/ledger/errors.ts";
import {
  providerTransferRow,
  providerNames,
} from "#app/domain/ledger/platform-money/queries/providers.server.ts";
import { providerTransferred } from "#app/domain/ledger/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import { providerMoves } from "#drizzle/schema/ledger.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";

/** `id` comes with the form: submitting it again changes nothing. `amountCents` in centavos. */
export type ProviderAccountTransfer = {
  id: string;
  from: string;
  to: string;
  amountCents: Cents;
  note: string;
  movedBy: string;
};

/**
 * Books money that staff moved from one provider to another outside of the product. They do so
 * because money collected at one is paid out at the other.
 *
 * Refuses ProviderTransferRefused: the same provider twice, one that is not configured, more than
 * the books have there. Source: docs/decisions/money/ask-each-provider-about-its-own-objects.md.
 */
export async function recordProviderTransfer(
  ctx: Context,
  move: ProviderAccountTransfer,
): Promise<void> {
  const { id, from, to, amountCents, note, movedBy } = move;
  if (from === to) throw new ProviderTransferRefused("same");
  const names = providerNames(ctx);
  if (!names.includes(from) || !names.includes(to)) throw new ProviderTransferRefused("unknown");
  if (await isBooked(ctx, move)) return;
  try {
    await commit(ctx.db, [
      ctx.db.insert(providerMoves).values({
        id,
        fromProvider: from,
        toProvider: to,
        amountCents,
        note,
        movedBy,
        createdAt: ctx.now(),
      }),
      ...postingStatements(ctx, providerTransferred(move)),
    ]);
  } catch (error) {
    if (!(error instanceof RuleViolation)) throw error;
    if (error.rule === "ledger_holds_less") throw new ProviderTransferRefused("less");
    // A concurrent request was faster.
    if (!(await isBooked(ctx, move))) throw error;
  }
}

async function isBooked(
  ctx: Context,
  { id, from, to, amountCents }: ProviderAccountTransfer,
): Promise<boolean> {
  const row = await providerTransferRow(ctx, { id });
  if (
    row &&
    (row.fromProvider !== from || row.toProvider !== to || row.amountCents !== amountCents)
  )
    throw new ProviderTransferRefused("taken");
  return row !== null;
}
