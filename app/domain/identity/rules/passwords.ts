/** From the easiest to guess to the hardest. */
export const PASSWORD_STRENGTHS = ["fraca", "razoável", "boa", "forte"] as const;
export type PasswordStrength = (typeof PASSWORD_STRENGTHS)[number];

/** Bits that a password needs to be razoável, boa and forte. */
const FAIR_BITS = 30;
const GOOD_BITS = 50;
const STRONG_BITS = 70;

const POOLS: [RegExp, number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[0-9]/, 10],
  [/[ -/:-@[-`{-~]/, 33],
  [/[^ -~]/, 60],
];

const KEYBOARD_ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm", "1234567890"];

/**
 * Estimates how hard `password` is to guess, from its unpredictable characters and its alphabet. A
 * run ("aaaa", "1234", "qwer") counts as its first two characters. A few repeated letters count as
 * few. It knows no words: the list of common passwords is another check.
 */
export function passwordStrength(password: string): PasswordStrength {
  const pool = POOLS.reduce(
    (total, [pattern, size]) => (pattern.test(password) ? total + size : total),
    0,
  );
  const bits = surprises(password) * Math.log2(Math.max(pool, 2));
  if (bits < FAIR_BITS) return "fraca";
  if (bits < GOOD_BITS) return "razoável";
  return bits < STRONG_BITS ? "boa" : "forte";
}

/**
 * The strength to show while somebody types: none below `shortest` characters, where the field says
 * that more are needed.
 */
export function strengthShown(password: string, shortest: number): PasswordStrength | null {
  return password.length < shortest ? null : passwordStrength(password);
}

function surprises(password: string): number {
  const letters = [...password.toLowerCase()];
  const surprising = letters.filter(
    (letter, index) => !continuesRun(letters[index - 2], letters[index - 1], letter),
  ).length;
  return Math.min(surprising, new Set(letters).size * 2);
}

/** Whether three characters in a row repeat, count up or down, or follow the keyboard. */
function continuesRun(
  before: string | undefined,
  previous: string | undefined,
  letter: string,
): boolean {
  if (before === undefined || previous === undefined) return false;
  const [first, second, third] = [
    before.codePointAt(0) ?? 0,
    previous.codePointAt(0) ?? 0,
    letter.codePointAt(0) ?? 0,
  ];
  const step = second - first;
  if (Math.abs(step) <= 1 && third - second === step) return true;
  const triple = before + previous + letter;
  const backwards = letter + previous + before;
  return KEYBOARD_ROWS.some((row) => row.includes(triple) || row.includes(backwards));
}
