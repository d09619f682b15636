// Creators with an available balance and the sales behind it, for tests that need many of them. The
// rows are inserted in bulk, through the triggers of the database. They are those of a sale and its
// release, without subscribers.

/** Numbers of the creators, `to` excluded. */
export type CreatorRange = { from: number; to: number };
type Sales = CreatorRange & { round: number; now: number; provider: string };

/** A Pix key that the sandbox's bank does not know. */
const BAD_KEY = "falha@coreto.test";

const counted = ({ from, to }: CreatorRange): string =>
  `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})`;
const creator = "'earner-' || i";

export const generatedCreatorId = (n: number): string => `earner-${n}`;

/** Net amount of creator `n` for the sale of `round`, in centavos. It differs for each creator. */
export const saleNetCents = (n: number, round: number): number => 1_890 + n * 7 + (round % 13);
const FEE_CENTS = 105;

/**
 * Inserts creators with approved documents and a Pix key, paid out on Mondays. Every
 * `badKeyEvery`-th one has a key that no bank knows.
 */
export function generatedCreatorStatements(
  who: CreatorRange,
  { now, badKeyEvery = null }: { now: number; badKeyEvery?: number | null },
): string[] {
  const key =
    badKeyEvery === null
      ? `${creator} || '@exemplo.test'`
      : `iif(i % ${badKeyEvery} = 0, '${BAD_KEY}', ${creator} || '@exemplo.test')`;
  return [
    `${counted(who)} INSERT INTO people (id, provider, provider_user_id, email, created_at, registered_at, birth_date)
      SELECT ${creator}, 'earners', ${creator}, ${creator} || '@exemplo.test', ${now}, ${now}, '1990-01-31' FROM n`,
    `${counted(who)} INSERT INTO profiles (person_id, username, name, is_creator, created_at) SELECT ${creator}, ${creator}, 'Quem Recebe ' || i, 1, ${now} FROM n`,
    `${counted(who)} INSERT INTO documents (person_id, status, cpf, full_name, birth_date, submitted_at, decided_at)
      SELECT ${creator}, 'approved', printf('%011d', i), 'Quem Recebe ' || i, '1990-01-31', ${now}, ${now} FROM n`,
    `${counted(who)} INSERT INTO withdrawal_methods (creator_id, pix_key_kind, pix_key, schedule, created_at, updated_at) SELECT ${creator}, 'email', ${key}, 'weekly', ${now}, ${now} FROM n`,
  ];
}

/**
 * Inserts one sale for each creator, with its funds available. The ledger entries are those of
 * `chargeSucceeded` and `chargeReleased`. `round` distinguishes the sales of different rounds.
 */
export function saleStatements({ round, now, provider, ...who }: Sales): string[] {
  const sale = `'sale-${round}-' || i`;
  const net = `(1890 + i * 7 + ${round % 13})`;
  const legs: [part: string, account: string, cents: string][] = [
    ["succeeded", `'provider_clearing:${provider}'`, `${net} + ${FEE_CENTS}`],
    ["succeeded", `'creator_pending:' || ${creator}`, `-${net}`],
    ["succeeded", "'platform_fees'", String(-FEE_CENTS)],
    ["released", `'creator_pending:' || ${creator}`, net],
    ["released", `'creator_available:' || ${creator}`, `-${net}`],
  ];
  const posted = (part: string): string =>
    `UPDATE ledger_transactions SET posted_at = ${now} WHERE posted_at IS NULL AND id LIKE 'sale-${round}-%-${part}'`;
  return [
    `${counted(who)} INSERT INTO charges (id, payer_id, creator_id, purchase_kind, purchase_id, description, amount_cents, fee_basis_points, fee_cents, net_cents, method, provider, provider_charge_id, status, succeeded_at, asked_at, created_at)
      SELECT ${sale}, 'fan-' || i, ${creator}, 'subscription', 'bought-' || ${sale}, 'Camarim', ${net} + ${FEE_CENTS}, 500, ${FEE_CENTS}, ${net}, 'pix', '${provider}', 'ch_' || ${sale}, 'succeeded', ${now}, ${now}, ${now} FROM n`,
    `${counted(who)} INSERT INTO charge_releases (id, charge_id, creator_id, position, net_cents, release_at) SELECT ${sale}, ${sale}, ${creator}, 0, ${net}, ${now} FROM n`,
    `UPDATE charge_releases SET released_at = ${now} WHERE released_at IS NULL AND id LIKE 'sale-${round}-%'`,
    `INSERT OR IGNORE INTO ledger_accounts (id, kind, owner_id, normal_side, has_floor) SELECT * FROM (VALUES ('provider_clearing:${provider}', 'provider_clearing', '${provider}', 1, 0), ('platform_fees', 'platform_fees', NULL, -1, 0)) v WHERE NOT EXISTS (SELECT 1 FROM ledger_accounts a WHERE a.id = v.column1)`,
    ...["creator_pending", "creator_available"].map(
      (kind) =>
        `${counted(who)} INSERT INTO ledger_accounts (id, kind, owner_id, normal_side, has_floor) SELECT '${kind}:' || ${creator}, '${kind}', ${creator}, -1, 1 FROM n WHERE NOT EXISTS (SELECT 1 FROM ledger_accounts a WHERE a.id = '${kind}:' || ${creator})`,
    ),
    ...["succeeded", "released"].map(
      (part) =>
        `${counted(who)} INSERT INTO ledger_transactions (id, source_key, kind, charge_id, created_at) SELECT ${sale} || '-${part}', 'charge:' || ${sale} || ':${part === "released" ? "released:0" : part}', 'charge.${part}', ${sale}, ${now} FROM n`,
    ),
    ...legs.map(
      ([part, account, cents], index) =>
        `${counted(who)} INSERT INTO ledger_entries (id, transaction_id, account_id, amount_cents, posted_at) SELECT ${sale} || '-${part}-${index}', ${sale} || '-${part}', ${account}, ${cents}, ${now} FROM n`,
    ),
    posted("succeeded"),
    posted("released"),
  ];
}

/** Inserts the sales' charges at the sandbox as settled, so that its balance covers the payouts. */
export function saleAtSandboxStatement({ round, now, ...who }: Omit<Sales, "provider">): string {
  const sale = `'sale-${round}-' || i`;
  const gross = `1890 + i * 7 + ${round % 13} + ${FEE_CENTS}`;
  return `${counted(who)} INSERT INTO charges (id, reference, method, status, amount_cents, description, payer_name, settles_at, succeeded_at, created_at)
    SELECT 'ch_' || ${sale}, ${sale}, 'pix', 'succeeded', ${gross}, 'Camarim', 'Quem Paga', ${now}, ${now}, ${now} FROM n`;
}
