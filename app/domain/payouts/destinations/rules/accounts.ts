import type { BankAccount } from "#app/domain/payments/schema.ts";
import { bankName } from "./banks.ts";

/** An account as its owner says it; whose it is stands in their documents. */
export type TypedBankAccount = Omit<BankAccount, "ownerName" | "ownerTaxId">;

const LINE = /^(\d{3}) (\d{1,5}) (\d{1,13})-([\dA-Z]) (checking|savings|payment)$/;

/**
 * An account as one line, which is how it is kept: "237 1263 999999-1 checking". The same account
 * is always the same line: the branch has four digits, and zeros before the number say nothing.
 */
export const encodeAccount = ({
  bankCode,
  branch,
  account,
  accountDigit,
  kind,
}: TypedBankAccount): string =>
  `${bankCode} ${branch.replace(/^0+/, "").padStart(4, "0")} ${account.replace(/^0+(?=\d)/, "")}-${accountDigit} ${kind}`;

/** The account of a line. Throws where it is none: the database takes no other. */
export function decodeAccount(line: string): TypedBankAccount {
  const [, bankCode, branch, account, accountDigit, kind] = LINE.exec(line) ?? [];
  if (!bankCode || !branch || !account || !accountDigit || !kind)
    throw new Error("this is no line of an account");
  return { bankCode, branch, account, accountDigit, kind: kind as TypedBankAccount["kind"] };
}

/** An account as shown: "Bradesco · agência 1263 · conta •••9-1". */
export function maskAccount(line: string): string {
  const { bankCode, branch, account, accountDigit } = decodeAccount(line);
  return `${bankName(bankCode)} · agência ${branch} · conta •••${account.slice(-1)}-${accountDigit}`;
}
