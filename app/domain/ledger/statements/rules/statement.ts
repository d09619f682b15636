import type { StatementSubject } from "#app/domain/ledger/statements/queries/statement.server.ts";
import { ledgerAccountKinds } from "#app/domain/ledger/schema.ts";
import type { LedgerAccountKind } from "#app/domain/ledger/schema.ts";

/** The balances of a creator, as a URL names them. Each opens its entries. */
export const balanceNames = ["available", "pending", "reserved", "in_transit", "owed"] as const;
export type BalanceName = (typeof balanceNames)[number];

const KINDS: Record<BalanceName, LedgerAccountKind> = {
  available: "creator_available",
  pending: "creator_pending",
  reserved: "creator_reserved",
  in_transit: "payout_in_transit",
  owed: "creator_owed",
};

/** Returns the Portuguese title of a balance on every screen. */
export const balanceTitle = (name: BalanceName): string => ledgerAccountKinds[KINDS[name]].title;

/** Parses the balance in a URL; `available` for any other text. */
export const parseBalanceName = (text: string | null): BalanceName =>
  balanceNames.find((name) => name === text) ?? "available";

/** Returns the statement subject of one balance of a creator. */
export function balanceStatementSubject(name: BalanceName, creatorId: string): StatementSubject {
  const kind = KINDS[name];
  return kind === "payout_in_transit"
    ? { inTransitTo: creatorId }
    : { account: { kind, ownerId: creatorId } };
}

const TO = "to:";

/**
 * Parses the subject of a staff statement in a URL: an account (`parseAccountId`), or all the money
 * on its way to a creator (`payout_in_transit:to:<id>`).
 */
export function parseStatementSubject(text: string): StatementSubject | null {
  const account = parseAccountId(text);
  return account?.kind === "payout_in_transit" && account.ownerId?.startsWith(TO)
    ? { inTransitTo: account.ownerId.slice(TO.length) }
    : account && { account };
}

/** Parses an account id as `accountId` writes it; null for any other text. */
export function parseAccountId(
  text: string,
): { kind: LedgerAccountKind; ownerId: string | null } | null {
  const [kind = "", ownerId] = text.split(/:(.*)/s);
  return Object.hasOwn(ledgerAccountKinds, kind)
    ? { kind: kind as LedgerAccountKind, ownerId: ownerId ?? null }
    : null;
}
