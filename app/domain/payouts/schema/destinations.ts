import type { PixKeyKind } from "#app/domain/payments/schema.ts";

export type PixKey = { kind: PixKeyKind; key: string };

/**
 * A destination: a Pix key, or a bank account whose `key` is its line (see rules/accounts.ts).
 * Tables store it as `pixKeyKind` and `pixKey`:
 * docs/decisions/money/let-a-payout-wait-for-balance.md.
 */
export type DestinationKind = PixKeyKind | "bank_account";
export type Destination = { kind: DestinationKind; key: string };
