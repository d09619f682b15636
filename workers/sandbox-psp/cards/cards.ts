/** The behaviours of test cards when charged. */
const cardBehaviours = [
  "approves",
  "declines",
  "lacks_funds",
  "asks_3ds",
  "times_out",
  "declines_later",
  "stolen_later",
  "asks_3ds_always",
] as const;
export type CardBehaviour = (typeof cardBehaviours)[number];

/** The cards of GET /v1/docs and the console. Any other number with a valid check digit is approved. */
export const testCards: readonly { number: string; behaviour: CardBehaviour; says: string }[] = [
  { number: "4242424242424242", behaviour: "approves", says: "Aprova." },
  { number: "5555555555554444", behaviour: "approves", says: "Aprova (Mastercard)." },
  { number: "4000000000000002", behaviour: "declines", says: "Recusa: card_declined." },
  { number: "4000000000009995", behaviour: "lacks_funds", says: "Recusa: insufficient_funds." },
  { number: "4000000000003220", behaviour: "asks_3ds", says: "Pede confirmação 3DS." },
  {
    number: "4000000000000119",
    behaviour: "times_out",
    says: "Cobra e não responde (504 depois do efeito).",
  },
  {
    number: "4000000000000341",
    behaviour: "declines_later",
    says: "Aprova agora e recusa as renovações.",
  },
  {
    number: "4000000000009979",
    behaviour: "stolen_later",
    says: "Aprova agora e recusa as renovações: stolen_card.",
  },
  {
    number: "4000002760003184",
    behaviour: "asks_3ds_always",
    says: "Pede confirmação 3DS, também nas renovações.",
  },
];

export type TestCardDetails = { brand: string; last4: string; behaviour: CardBehaviour };

export type CardProblems = Partial<Record<"number" | "expiry" | "cvv" | "holder", string>>;

export type TypedCard = { number: string; expiry: string; cvv: string; holder: string };

/**
 * Validates the typed card. Returns it, or the errors in Portuguese by field. `at` is real time:
 * card expiry does not follow the test clock.
 */
export function readCard(
  typed: TypedCard,
  at: number,
): { card: TestCardDetails } | { problems: CardProblems } {
  const number = typed.number.replace(/[\s.-]/g, "");
  const problems: CardProblems = {};
  if (!/^\d{13,19}$/.test(number) || !passesLuhn(number))
    problems.number = "Confira o número do cartão.";
  if (!isLiveExpiry(typed.expiry, at))
    problems.expiry = "Confira a validade: mês e ano, como 12/30.";
  if (!/^\d{3,4}$/.test(typed.cvv.trim())) problems.cvv = "O CVV tem 3 ou 4 números.";
  if (typed.holder.trim().length < 2) problems.holder = "Escreva o nome como está no cartão.";
  if (Object.keys(problems).length > 0) return { problems };
  const testCard = testCards.find((card) => card.number === number);
  return {
    card: {
      brand: brandOf(number),
      last4: number.slice(-4),
      behaviour: testCard?.behaviour ?? "approves",
    },
  };
}

/** The bank's answer: a success, a decline with its code, or a confirmation request. */
export function authorise(
  behaviour: string,
  with3ds: boolean,
  isRenewal: boolean,
): { status: "succeeded" | "failed" | "requires_action"; failureCode: string | null } {
  if (behaviour === "declines" || (behaviour === "declines_later" && isRenewal))
    return { status: "failed", failureCode: "card_declined" };
  if (behaviour === "stolen_later" && isRenewal)
    return { status: "failed", failureCode: "stolen_card" };
  if (behaviour === "lacks_funds") return { status: "failed", failureCode: "insufficient_funds" };
  if ((behaviour === "asks_3ds_always" || (behaviour === "asks_3ds" && !isRenewal)) && !with3ds)
    return { status: "requires_action", failureCode: null };
  return { status: "succeeded", failureCode: null };
}

function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

function isLiveExpiry(text: string, at: number): boolean {
  const match = /^\s*(\d{2})\s*\/?\s*(?:20)?(\d{2})\s*$/.exec(text);
  const month = Number(match?.[1]);
  if (!match || month < 1 || month > 12) return false;
  return Date.UTC(2000 + Number(match[2]), month, 1) > at;
}

/**
 * Card brands by first digits. Elo comes first, because its prefixes overlap with others'. The
 * field shows the same names while typing.
 */
export const brands: readonly { brand: string; name: string; starts: RegExp }[] = [
  { brand: "elo", name: "Elo", starts: /^(4011|438935|5067|509|6277|636|65)/ },
  { brand: "visa", name: "Visa", starts: /^4/ },
  { brand: "mastercard", name: "Mastercard", starts: /^(5[1-5]|2[2-7])/ },
  { brand: "amex", name: "Amex", starts: /^3[47]/ },
];

const brandOf = (number: string): string =>
  brands.find(({ starts }) => starts.test(number))?.brand ?? "card";
