type Numbered = { branch: string; account: string; digit: string };

const digitsOf = (text: string): number[] => [...text].map(Number);

/** Sums each digit times its weight, from the right: 2, 3, 4 … up to `most`, then again. */
const weighed = (number: string, most: number): number =>
  digitsOf(number)
    .toReversed()
    .reduce((sum, digit, index) => sum + digit * (2 + (index % (most - 1))), 0);

function bancoDoBrasil({ account }: Numbered): string[] {
  const digit = 11 - (weighed(account, 9) % 11);
  return [digit === 10 ? "X" : digit === 11 ? "0" : String(digit)];
}

/** Bradesco uses "P" for a digit that would be 10; many people write 0. */
function bradesco({ account }: Numbered): string[] {
  const rest = weighed(account, 7) % 11;
  return rest === 0 ? ["0"] : rest === 1 ? ["P", "0"] : [String(11 - rest)];
}

function itau({ branch, account }: Numbered): string[] {
  const sum = digitsOf(`${branch}${account}`)
    .toReversed()
    .map((digit, index) => digit * (index % 2 === 0 ? 2 : 1))
    .reduce((total, product) => total + Math.floor(product / 10) + (product % 10), 0);
  return [String((10 - (sum % 10)) % 10)];
}

const SANTANDER_WEIGHTS = [9, 7, 3, 1, 0, 0, 9, 7, 1, 3, 1, 9, 7, 3];

function santander({ branch, account }: Numbered): string[] {
  const sum = digitsOf(`${branch}00${account.padStart(8, "0")}`).reduce(
    (total, digit, index) => total + ((digit * (SANTANDER_WEIGHTS[index] ?? 0)) % 10),
    0,
  );
  return [String((10 - (sum % 10)) % 10)];
}

type Checked = { digitsOf: (account: Numbered) => string[]; longest: number };

/**
 * The banks with a public rule for current accounts, and the length of the number without its
 * digit.
 */
const RULES: Readonly<Record<string, Checked>> = {
  "001": { digitsOf: bancoDoBrasil, longest: 8 },
  "033": { digitsOf: santander, longest: 8 },
  "237": { digitsOf: bradesco, longest: 7 },
  "341": { digitsOf: itau, longest: 5 },
};

/**
 * Whether a check digit differs from the bank's own rule.
 *
 * It is a reason to ask again, never to refuse: banks have accounts outside the rule. False for
 * other banks, savings and payment accounts, and numbers of another length. Source: the banks'
 * published layouts ("cálculo do dígito verificador": módulo 11 at Banco do Brasil and Bradesco,
 * módulo 10 at Itaú, weighted sums at Santander).
 */
export function isDigitDoubtful({
  bankCode,
  kind,
  branch,
  account,
  accountDigit,
}: {
  bankCode: string;
  kind: string;
  branch: string;
  account: string;
  accountDigit: string;
}): boolean {
  const rule = RULES[bankCode];
  const number = account.replace(/^0+/, "");
  if (!rule || kind !== "checking" || number.length > rule.longest || number === "") return false;
  const padded = number.padStart(rule.longest, "0");
  return !rule
    .digitsOf({ branch: branch.padStart(4, "0"), account: padded, digit: accountDigit })
    .includes(accountDigit);
}
