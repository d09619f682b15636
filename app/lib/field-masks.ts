/** Kinds of number that a field formats while it is typed. */
export type FieldMask = "cpf" | "cpf-or-cnpj" | "cep" | "date" | "phone";

/** A group of characters: its length, and the separator before it. */
type Piece = readonly [length: number, before: string];

export const CPF_PIECES: readonly Piece[] = [
  [3, ""],
  [3, "."],
  [3, "."],
  [2, "-"],
];
export const CNPJ_PIECES: readonly Piece[] = [
  [2, ""],
  [3, "."],
  [3, "."],
  [4, "/"],
  [2, "-"],
];
export const PHONE_PIECES: readonly Piece[] = [
  [2, "("],
  [5, ") "],
  [4, "-"],
];
const CEP_PIECES: readonly Piece[] = [
  [5, ""],
  [3, "-"],
];
const DATE_PIECES: readonly Piece[] = [
  [2, ""],
  [2, "/"],
  [4, "/"],
];

const CPF_DIGITS = 11;
const CNPJ_LETTERS = 14;

/**
 * Formats the typed text with the separators of its kind. Leaves other text unchanged, such as a
 * phone of another country or a number with too many digits. Idempotent: formatted text stays
 * unchanged.
 */
export function maskTyped(mask: FieldMask, typed: string): string {
  const digits = typed.replace(/\D/g, "");
  switch (mask) {
    case "cpf":
      return isOnly(typed, /[\d.\s-]/) && digits.length <= CPF_DIGITS
        ? withSigns(digits, CPF_PIECES)
        : typed;
    case "cpf-or-cnpj": {
      const letters = typed.replace(/[^0-9A-Za-z]/g, "").toUpperCase();
      if (!isOnly(typed, /[0-9A-Za-z./\s-]/) || letters.length > CNPJ_LETTERS) return typed;
      return letters === digits && digits.length <= CPF_DIGITS
        ? withSigns(digits, CPF_PIECES)
        : withSigns(letters, CNPJ_PIECES);
    }
    case "cep":
      return isOnly(typed, /[\d.\s-]/) && digits.length <= 8
        ? withSigns(digits, CEP_PIECES)
        : typed;
    case "date":
      return isDayFirst(typed) && digits.length <= 8 ? withSigns(digits, DATE_PIECES) : typed;
    case "phone":
      return isOnly(typed, /[\d()\s-]/) && digits.length <= 11
        ? withSigns(digits, PHONE_PIECES)
        : typed;
  }
}

/** Splits `letters` into pieces with separators between them. Letters not typed yet are left out. */
export function withSigns(letters: string, pieces: readonly Piece[]): string {
  let from = 0;
  return pieces
    .map(([length, before]) => {
      const piece = letters.slice(from, from + length);
      from += length;
      return piece === "" ? "" : `${before}${piece}`;
    })
    .join("");
}

const isOnly = (typed: string, sign: RegExp): boolean =>
  [...typed].every((letter) => sign.test(letter));

/**
 * Reports whether the text can be formatted as DD/MM/YYYY. Dates typed in another form, such as
 * "1/2/1990" and "1990-12-31", keep their separators.
 */
const isDayFirst = (typed: string): boolean =>
  /^\d*$/.test(typed) || /^\d{2}\/(\d{0,2}|\d{2}\d+|\d{2}\/\d{0,4})$/.test(typed);
