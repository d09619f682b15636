import { asc, eq, sql } from "drizzle-orm";
import { prepareReads } from "#app/db/prepared-reads.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { ledgerAccounts, ledgerEntries, ledgerTransactions } from "#drizzle/schema/ledger.ts";
import { accountId } from "./rules.ts";
import { ledgerAccountKinds } from "./schema.ts";
import type { Posting } from "./schema.ts";

/**
 * The statements that write and post `posting`, to be joined to the batch of the command that made
 * it happen. The database refuses it (RuleViolation) when its key exists (`ledger_source_exists`;
 * `ledger_key_reused` where what is there is not the very same posting: a fault of ours that no
 * second try mends), it does not balance, or an account would pass its floor. A posting without
 * legs (everything was zero) is nothing.
 */
export function postingStatements(ctx: Context, posting: Posting): readonly BatchWrite[] {
  const { legs, sourceKey, kind, chargeId, payoutId } = posting;
  if (legs.length === 0) return [];
  const transactionId = ctx.newId();
  const values: Record<string, unknown> = {
    transactionId,
    sourceKey,
    kind,
    chargeId,
    payoutId,
    now: ctx.now(),
  };
  for (const [index, { account, debitCents }] of legs.entries()) {
    const { normalSide, hasFloor } = ledgerAccountKinds[account.kind];
    Object.assign(values, {
      [`account${index}`]: accountId(account),
      [`kind${index}`]: account.kind,
      [`owner${index}`]: account.ownerId,
      [`side${index}`]: normalSide,
      [`floor${index}`]: hasFloor,
    });
    Object.assign(values, {
      [`entry${index}`]: `${transactionId}-${index}`,
      [`cents${index}`]: debitCents,
    });
  }
  const [accounts, transaction, entries, posted] = postingOf(legs.length)(ctx.db, values);
  return [
    accounts,
    {
      explained: transaction,
      refused: async (rule) =>
        rule === "ledger_source_exists" && (await isKeyReused(ctx, posting))
          ? "ledger_key_reused"
          : null,
    },
    entries,
    posted,
  ];
}

/**
 * Whether the posting under this key is another: what is posted never changes, so that it may be
 * read once the batch is refused.
 */
async function isKeyReused(
  ctx: Context,
  { legs, sourceKey, kind, chargeId, payoutId }: Posting,
): Promise<boolean> {
  const rows = await ctx.db
    .select({
      kind: ledgerTransactions.kind,
      chargeId: ledgerTransactions.chargeId,
      payoutId: ledgerTransactions.payoutId,
      accountId: ledgerEntries.accountId,
      debitCents: ledgerEntries.amountCents,
    })
    .from(ledgerTransactions)
    .innerJoin(ledgerEntries, eq(ledgerEntries.transactionId, ledgerTransactions.id))
    .where(eq(ledgerTransactions.sourceKey, sourceKey))
    // Their ids end in their places, of which the tenth comes before the second in the order of
    // words.
    .orderBy(sql`length(${ledgerEntries.id})`, asc(ledgerEntries.id));
  const [there] = rows;
  if (!there) return false;
  const lines = (of: readonly { accountId: string; debitCents: number }[]) =>
    of.map((leg) => `${leg.accountId} ${leg.debitCents}`).join("\n");
  const isSame =
    there.kind === kind &&
    there.chargeId === (chargeId ?? null) &&
    there.payoutId === (payoutId ?? null) &&
    lines(rows) ===
      lines(legs.map(({ account, debitCents }) => ({ accountId: accountId(account), debitCents })));
  return !isSame;
}

const built = new Map<number, ReturnType<typeof written>>();

/**
 * By how many legs there are: every payment posts, and drizzle takes longer to write the statements
 * than D1 to run them.
 */
function postingOf(legsCount: number): ReturnType<typeof written> {
  const known = built.get(legsCount) ?? written(legsCount);
  built.set(legsCount, known);
  return known;
}

function written(legsCount: number) {
  const value = (name: string) => sql.placeholder(name);
  const legs = Array.from({ length: legsCount }, (_, index) => index);
  return prepareReads((db) => [
    db
      .insert(ledgerAccounts)
      .values(
        legs.map((index) => ({
          id: value(`account${index}`),
          kind: value(`kind${index}`),
          ownerId: value(`owner${index}`),
          normalSide: value(`side${index}`),
          hasFloor: value(`floor${index}`),
        })),
      )
      .onConflictDoNothing(),
    db.insert(ledgerTransactions).values({
      id: value("transactionId"),
      sourceKey: value("sourceKey"),
      kind: value("kind"),
      chargeId: value("chargeId"),
      payoutId: value("payoutId"),
      createdAt: value("now"),
    }),
    db.insert(ledgerEntries).values(
      legs.map((index) => ({
        id: value(`entry${index}`),
        transactionId: value("transactionId"),
        accountId: value(`account${index}`),
        amountCents: value(`cents${index}`),
        postedAt: value("now"),
      })),
    ),
    // It was inserted just before, or nothing of the batch is there: no guard asks whether it was.
    db
      .update(ledgerTransactions)
      .set({ postedAt: sql`${value("now")}` })
      .where(eq(ledgerTransactions.id, value("transactionId"))),
  ]);
}
