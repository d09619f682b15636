import type { BankAccount } from "#app/domain/payments/schema.ts";
import { bankName } from "./banks.ts";

/** An account as its owner types it. The owner's name comes from their documents. */
export type TypedBankAccount = Omit<BankAccount, "ownerName" | "ownerTaxId">;

const LINE = /^(\d{3}) (\d{1,5}) (\d{1,13})-([\dA-Z]) (checking|savings|payment)$/;

/**
 * Formats an account as the one line in which it is stored: "237 1263 999999-1 checking". The same
 * account always gives the same line: the branch has four digits, and leading zeros of the number
 * are dropped.
 */
export const encodeAccount = ({
  bankCode,
  branch,
  account,
  accountDigit,
  kind,
}: TypedBankAccount): string =>
  `${bankCode} ${branch.replace(/^0+/, "").padStart(4, "0")} ${account.replace(/^0+(?=\d)/, "")}-${accountDigit} ${kind}`;

/** Parses the line of an account. Throws if it is none: the database accepts no other. */
export function decodeAccount(line: string): TypedBankAccount {
  const [, bankCode, branch, account, accountDigit, kind] = LINE.exec(line) ?? [];
  if (!bankCode || !branch || !account || !accountDigit || !kind)
    throw new Error("this is no line of an account");
  return { bankCode, branch, account, accountDigit, kind: kind as TypedBankAccount["kind"] };
}

/** Formats an account as shown: "Bradesco · agência 1263 · conta •••9-1". */
export function maskAccount(line: string): string {
  const { bankCode, branch, account, accountDigit } = decodeAccount(line);
  return `${bankName(bankCode)} · agência ${branch} · conta •••${account.slice(-1)}-${accountDigit}`;
}
