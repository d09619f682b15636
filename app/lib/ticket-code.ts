/** Crockford's digits: none looks like another. */
export const CODE_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
export const TICKET_CODE_LENGTH = 12;

/** Formats a random hexadecimal text, of at least 24 digits, as a ticket's code of 60 bits. */
export function ticketCodeFromHex(hexadecimal: string): string {
  return Array.from({ length: TICKET_CODE_LENGTH }, (_, index) => {
    const byte = Number.parseInt(hexadecimal.slice(2 * index, 2 * index + 2), 16);
    return CODE_DIGITS[byte & 31] ?? "";
  }).join("");
}
