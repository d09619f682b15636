/** What joins names and is often left out. */
const PARTICLES = new Set(["DA", "DAS", "DE", "DI", "DO", "DOS", "DU", "E"]);
/** What the law puts behind a company's name, and nobody writes twice the same. */
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
/** The letters of a word that a cut must leave for it to be known. */
const LEAST_OF_A_CUT_WORD = 3;

/**
 * Whether two names are of one person or company, read as a clerk reads them: capitals, accents,
 * signs, particles and the kind of a company say nothing, a middle name may be left out or an
 * initial, and a MEI has its number in its name. First and last name must be there on both sides.
 */
export function isSameName(one: string, other: string): boolean {
  const [short, long] = byLength(one, other);
  if (short.length < 2) return short.join(" ") === long.join(" ");
  return isSameWord(short.at(-1) ?? "", long.at(-1) ?? "") && isInOrder(short, long);
}

/**
 * Whether one may be the other as a bank prints it, cut at its end: the first name and at least one
 * more, in the same order.
 */
export function isSameNameTruncated(one: string, other: string): boolean {
  const [short, long] = byLength(one, other);
  return short.length >= 2 && isInOrder(short, long, { mayBeCut: true });
}

/**
 * Whether nothing speaks against a bank's name being that of the papers: the same first name (cut,
 * if it is all that the bank says), two names in common, or no name to compare.
 */
export function isPossiblySameName(said: string, papers: string): boolean {
  const [words, theirs] = [wordsOf(said), wordsOf(papers)];
  const [first, theirFirst] = [words[0], theirs[0]];
  if (!first || !theirFirst) return true;
  return (
    isSameWord(first, theirFirst, { mayBeCut: words.length === 1 }) ||
    words.filter((word) => word.length > 1 && theirs.includes(word)).length >= 2
  );
}

function byLength(one: string, other: string): [short: string[], long: string[]] {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  return a.length <= b.length ? [a, b] : [b, a];
}

function wordsOf(name: string): string[] {
  const plain = name
    .normalize("NFD")
    .replaceAll(/\p{M}+/gu, "")
    .toUpperCase();
  // "S/A" and "S.A." are one word; other signs part words.
  const words = plain
    .replaceAll(/\bS\s*[./]\s*A\b\.?/g, "SA")
    .replaceAll(/['’]/g, "")
    .split(/[^\p{L}\p{N}]+/u);
  return words.filter(
    (word) =>
      word !== "" && !/^\d+$/.test(word) && !PARTICLES.has(word) && !KINDS_OF_COMPANY.has(word),
  );
}

/**
 * Both begin with the same word, and every other of the shorter is in the longer, none before the
 * one it follows.
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

/** The same word or its initial; of a name that was cut, also how it begins. */
function isSameWord(one: string, other: string, { mayBeCut = false } = {}): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  const isEnough = short.length === 1 || (mayBeCut && short.length >= LEAST_OF_A_CUT_WORD);
  return short === long || (isEnough && long.startsWith(short));
}
