import type { StatementSubject } from "#app/domain/ledger/statements/queries/statement.server.ts";
import { ledgerAccountKinds } from "#app/domain/ledger/schema.ts";
import type { LedgerAccountKind } from "#app/domain/ledger/schema.ts";

/** The balances of a creator, each of which opens its entries, as an address names them. */
export const balanceNames = ["available", "pending", "reserved", "in_transit", "owed"] as const;
export type BalanceName = (typeof balanceNames)[number];

const KINDS: Record<BalanceName, LedgerAccountKind> = {
  available: "creator_available",
  pending: "creator_pending",
  reserved: "creator_reserved",
  in_transit: "payout_in_transit",
  owed: "creator_owed",
};

/** What a balance is called on every screen. */
export const balanceTitle = (name: BalanceName): string => ledgerAccountKinds[KINDS[name]].title;

/** The balance that an address asks for; what is available for any other word. */
export const parseBalanceName = (text: string | null): BalanceName =>
  balanceNames.find((name) => name === text) ?? "available";

/** The entries behind a balance of one creator. */
export function balanceStatementSubject(name: BalanceName, creatorId: string): StatementSubject {
  const kind = KINDS[name];
  return kind === "payout_in_transit"
    ? { inTransitTo: creatorId }
    : { account: { kind, ownerId: creatorId } };
}

const TO = "to:";

/**
 * What a statement of the staff is of, as its address names it: an account (`parseAccountId`), or
 * all that is on its way to a creator (`payout_in_transit:to:<id>`).
 */
export function parseStatementSubject(text: string): StatementSubject | null {
  const account = parseAccountId(text);
  return account?.kind === "payout_in_transit" && account.ownerId?.startsWith(TO)
    ? { inTransitTo: account.ownerId.slice(TO.length) }
    : account && { account };
}

/** The account that `kind:owner` names, as `accountId` writes it; null for words that name none. */
export function parseAccountId(
  text: string,
): { kind: LedgerAccountKind; ownerId: string | null } | null {
  const [kind = "", ownerId] = text.split(/:(.*)/s);
  return Object.hasOwn(ledgerAccountKinds, kind)
    ? { kind: kind as LedgerAccountKind, ownerId: ownerId ?? null }
    : null;
}
