import { eq, sql } from "drizzle-orm";
import type { Placeholder } from "drizzle-orm";
import { builtOnce } from "#app/db/built-once.ts";
import type { Write } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { ledgerAccounts, ledgerEntries, ledgerTransactions } from "#drizzle/schema/ledger.ts";
import { accountId } from "./rules.ts";
import { accountKinds } from "./schema.ts";
import type { Posting } from "./schema.ts";

/**
 * The statements that write and post `posting`, to be joined to the batch of the command that made it happen.
 * The database refuses it (RuleViolation) when its key exists (`ledger_source_exists`; `ledger_key_reused` where what is there is not the very same posting: a fault of ours that no
 * second try mends), it does not balance, or an account would pass its floor. A posting without legs (everything was zero) is nothing.
 */
export function postingStatements(ctx: Context, { legs, sourceKey, kind, chargeId, payoutId }: Posting): readonly Write[] {
  if (legs.length === 0) return [];
  const transactionId = ctx.newId();
  const values: Record<string, unknown> = { transactionId, sourceKey, kind, chargeId, payoutId, now: ctx.now(), legs: legs.map(({ account, debitCents }) => `${accountId(account)} ${debitCents}`).join("\n") };
  for (const [index, { account, debitCents }] of legs.entries()) {
    const { normalSide, hasFloor } = accountKinds[account.kind];
    Object.assign(values, { [`account${index}`]: accountId(account), [`kind${index}`]: account.kind, [`owner${index}`]: account.ownerId, [`side${index}`]: normalSide, [`floor${index}`]: hasFloor });
    Object.assign(values, { [`entry${index}`]: `${transactionId}-${index}`, [`cents${index}`]: debitCents });
  }
  return postingOf(legs.length)(ctx.db, values);
}

const built = new Map<number, ReturnType<typeof written>>();

/** By how many legs there are: every payment posts, and drizzle takes longer to write the statements than D1 to run them. */
function postingOf(legsCount: number): ReturnType<typeof written> {
  const known = built.get(legsCount) ?? written(legsCount);
  built.set(legsCount, known);
  return known;
}

function written(legsCount: number) {
  const value = (name: string) => sql.placeholder(name);
  const legs = Array.from({ length: legsCount }, (_, index) => index);
  return builtOnce((db) => [
    db
      .insert(ledgerAccounts)
      .values(legs.map((index) => ({ id: value(`account${index}`), kind: value(`kind${index}`), ownerId: value(`owner${index}`), normalSide: value(`side${index}`), hasFloor: value(`floor${index}`) })))
      .onConflictDoNothing(),
    db.insert(ledgerTransactions).values({ id: value("transactionId"), sourceKey: keyOf(value), kind: value("kind"), chargeId: value("chargeId"), payoutId: value("payoutId"), createdAt: value("now") }),
    db.insert(ledgerEntries).values(legs.map((index) => ({ id: value(`entry${index}`), transactionId: value("transactionId"), accountId: value(`account${index}`), amountCents: value(`cents${index}`), postedAt: value("now") }))),
    // It was inserted just before, or nothing of the batch is there: no guard asks whether it was.
    db.update(ledgerTransactions).set({ postedAt: sql`${value("now")}` }).where(eq(ledgerTransactions.id, value("transactionId"))),
  ]);
}

/** The posting's key, or an error in whose words `commit` finds `ledger_key_reused`, where another posting has it. Looked up only where the trigger refuses the key anyway. */
const keyOf = (value: (name: string) => Placeholder) => sql`CASE WHEN EXISTS (
    SELECT 1 FROM ledger_transactions there WHERE there.source_key = ${value("sourceKey")} AND NOT (there.kind = ${value("kind")} AND there.charge_id IS ${value("chargeId")} AND there.payout_id IS ${value("payoutId")}
      AND (SELECT group_concat(leg, char(10)) FROM (SELECT account_id || ' ' || amount_cents AS leg FROM ledger_entries WHERE transaction_id = there.id ORDER BY id)) IS ${value("legs")})
  ) THEN json_extract('{}', 'ledger_key_reused') ELSE ${value("sourceKey")} END`;
