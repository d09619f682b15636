import type { StatementOf } from "#app/domain/ledger/queries/statement.server.ts";
import { accountKinds } from "#app/domain/ledger/schema.ts";
import type { AccountKind } from "#app/domain/ledger/schema.ts";

/** The balances of a creator, each of which opens its entries, as an address names them. */
export const balanceNames = ["available", "pending", "reserved", "in_transit", "owed"] as const;
export type BalanceName = (typeof balanceNames)[number];

const KINDS: Record<BalanceName, AccountKind> = {
  available: "creator_available",
  pending: "creator_pending",
  reserved: "creator_reserved",
  in_transit: "payout_in_transit",
  owed: "creator_owed",
};

/** What a balance is called on every screen. */
export const balanceTitle = (name: BalanceName): string => accountKinds[KINDS[name]].title;

/** The balance that an address asks for; what is available for any other word. */
export const balanceNamed = (text: string | null): BalanceName =>
  balanceNames.find((name) => name === text) ?? "available";

/** The entries behind a balance of one creator. */
export function entriesBehind(name: BalanceName, creatorId: string): StatementOf {
  const kind = KINDS[name];
  return kind === "payout_in_transit"
    ? { inTransitTo: creatorId }
    : { account: { kind, ownerId: creatorId } };
}

const TO = "to:";

/**
 * What a statement of the staff is of, as its address names it: an account (`accountNamed`), or all
 * that is on its way to a creator (`payout_in_transit:to:<id>`).
 */
export function statementNamed(text: string): StatementOf | null {
  const account = accountNamed(text);
  return account?.kind === "payout_in_transit" && account.ownerId?.startsWith(TO)
    ? { inTransitTo: account.ownerId.slice(TO.length) }
    : account && { account };
}

/** The account that `kind:owner` names, as `accountId` writes it; null for words that name none. */
export function accountNamed(text: string): { kind: AccountKind; ownerId: string | null } | null {
  const [kind = "", ownerId] = text.split(/:(.*)/s);
  return Object.hasOwn(accountKinds, kind)
    ? { kind: kind as AccountKind, ownerId: ownerId ?? null }
    : null;
}
