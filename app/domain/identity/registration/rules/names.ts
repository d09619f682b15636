/** Particles between names, often left out. */
const PARTICLES = new Set(["DA", "DAS", "DE", "DI", "DO", "DOS", "DU", "E"]);
/** Legal suffixes of a company's name, written in many ways. */
const KINDS_OF_COMPANY = new Set([
  "LTDA",
  "LIMITADA",
  "ME",
  "EPP",
  "MEI",
  "EIRELI",
  "SA",
  "SLU",
  "CIA",
  "COMPANHIA",
]);
/** How many letters of a truncated word are enough to recognise it. */
const LEAST_OF_A_CUT_WORD = 3;

/**
 * Whether two names are of one person or company. Ignores capitals, accents, signs, particles and
 * the company's legal suffix. A middle name can be missing or an initial. A MEI has its number in
 * its name. Both sides need first and last name.
 */
export function isSameName(one: string, other: string): boolean {
  const [short, long] = byLength(one, other);
  if (short.length < 2) return short.join(" ") === long.join(" ");
  return isSameWord(short.at(-1) ?? "", long.at(-1) ?? "") && isInOrder(short, long);
}

/**
 * Whether one may be the other as a bank prints it, cut at its end. Needs the first name and at
 * least one more, in the same order.
 */
export function isSameNameTruncated(one: string, other: string): boolean {
  const [short, long] = byLength(one, other);
  return short.length >= 2 && isInOrder(short, long, { mayBeCut: true });
}

/**
 * Whether a bank's name is compatible with the one on the documents. One match is enough: the same
 * first name (cut, if it is all that the bank gives), or two names in common. Also true without a
 * name to compare.
 */
export function isPossiblySameName(typedName: string, documentName: string): boolean {
  const [parts, theirs] = [partsOf(typedName), partsOf(documentName)];
  const [first, theirFirst] = [parts[0], theirs[0]];
  if (!first || !theirFirst) return true;
  return (
    isSameWord(first, theirFirst, { mayBeCut: parts.length === 1 }) ||
    parts.filter((word) => word.length > 1 && theirs.includes(word)).length >= 2
  );
}

function byLength(one: string, other: string): [short: string[], long: string[]] {
  const [a, b] = [partsOf(one), partsOf(other)];
  return a.length <= b.length ? [a, b] : [b, a];
}

function partsOf(name: string): string[] {
  const plain = name
    .normalize("NFD")
    .replaceAll(/\p{M}+/gu, "")
    .toUpperCase();
  // "S/A" and "S.A." are one word. Other signs separate words.
  const parts = plain
    .replaceAll(/\bS\s*[./]\s*A\b\.?/g, "SA")
    .replaceAll(/['’]/g, "")
    .split(/[^\p{L}\p{N}]+/u);
  return parts.filter(
    (word) =>
      word !== "" && !/^\d+$/.test(word) && !PARTICLES.has(word) && !KINDS_OF_COMPANY.has(word),
  );
}

/**
 * Whether both start with the same word. All words of the shorter must be in the longer, in the
 * same order.
 */
function isInOrder(short: string[], long: string[], { mayBeCut = false } = {}): boolean {
  let from = 0;
  return short.every((word, index) => {
    const at = long.findIndex(
      (theirs, place) =>
        place >= from &&
        isSameWord(word, theirs, { mayBeCut: mayBeCut && index === short.length - 1 }),
    );
    from = at + 1;
    return index === 0 ? at === 0 : at > 0;
  });
}

/** Whether it is the same word or its initial. Of a cut name, also its start. */
function isSameWord(one: string, other: string, { mayBeCut = false } = {}): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  const isEnough = short.length === 1 || (mayBeCut && short.length >= LEAST_OF_A_CUT_WORD);
  return short === long || (isEnough && long.startsWith(short));
}
