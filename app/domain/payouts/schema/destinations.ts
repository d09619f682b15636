import type { PixKeyKind } from "#app/domain/payments/schema.ts";

export type PixKey = { kind: PixKeyKind; key: string };

/**
 * A Pix key, or a bank account, whose `key` is its line (see rules/accounts.ts). Tables keep it as
 * `pixKeyKind` and `pixKey`: docs/decisions/money/let-a-payout-wait-for-balance.md.
 */
export type DestinationKind = PixKeyKind | "bank_account";
export type Destination = { kind: DestinationKind; key: string };
