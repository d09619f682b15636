/**
 * The age check of people who look at adult pages. The local one asks the person at the keyboard,
 * and only a local build has it.
 */
export type AgeCheckConfiguration = { provider: "local"; secret: string };

type AdultSpacesVariables = { readonly [name: string]: unknown };
type AdultSpacesResult = { ageCheck: AgeCheckConfiguration | null; problems: string[] };

const SHORTEST_SECRET = 32;

/**
 * Reads `ADULT_SPACES`, and what `on` needs. It needs an age check, because a declared age never
 * suffices. It needs the operator's declaration that the payment provider accepts adult content. An
 * incomplete configuration stops the start, with a message in Portuguese. If it is off, nothing
 * else is read. Source: domain rules, "Data protection".
 */
export function readAdultSpaces(source: AdultSpacesVariables): AdultSpacesResult {
  const wanted = textOf(source.ADULT_SPACES);
  if (wanted === "" || wanted === "off") return { ageCheck: null, problems: [] };
  if (wanted !== "on") return { ageCheck: null, problems: ["ADULT_SPACES: precisa ser on ou off"] };
  const secret = textOf(source.AGE_CHECK_SECRET);
  const problems = [
    ...ageCheckProblems(textOf(source.AGE_CHECK_PROVIDER), secret),
    ...paymentProblems(source),
  ];
  return problems.length > 0
    ? { ageCheck: null, problems }
    : { ageCheck: { provider: "local", secret }, problems };
}

function ageCheckProblems(provider: string, secret: string): string[] {
  if (provider === "")
    return [
      "AGE_CHECK_PROVIDER: falta um valor; ADULT_SPACES=on precisa de uma verificação de idade",
    ];
  if (!__LOCAL__ || provider !== "local")
    return [
      `AGE_CHECK_PROVIDER: ${JSON.stringify(provider)} não é uma verificação de idade que este produto tenha`,
    ];
  return secret.length < SHORTEST_SECRET
    ? [`AGE_CHECK_SECRET: precisa de pelo menos ${SHORTEST_SECRET} caracteres`]
    : [];
}

function paymentProblems(source: AdultSpacesVariables): string[] {
  if (textOf(source.ADULT_PAYMENTS) === "accepted") return [];
  return [
    "ADULT_PAYMENTS: precisa ser accepted; ADULT_SPACES=on precisa de um provedor de pagamento que aceite páginas adultas",
  ];
}

const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");
