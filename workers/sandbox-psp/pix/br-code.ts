import type { Cents } from "#app/domain/money.ts";

/** The fields that a payer's bank reads from a dynamic Pix code. */
export type BrCode = {
  /** Where the bank loads the charge; no scheme, at most 77 characters. */
  location: string;
  merchantName: string;
  merchantCity: string;
  amountCents: Cents;
};

const NAME_LIMIT = 25;
const CITY_LIMIT = 15;
const LOCATION_LIMIT = 77;

/**
 * Encodes a dynamic Pix QR code (EMV MPM as Bacen's "Manual do BR Code" narrows it). One-time use
 * (01 = 12), the charge's address in 26-25, and the amount in 54. 62-05 is `***`, because a dynamic
 * charge has its txid in its address. CRC last. `@brazilian-utils` omits the amount of dynamic
 * codes, which the payer should see even when the bank is offline.
 */
export function encodeBrCode(code: BrCode): string {
  if (code.location.length > LOCATION_LIMIT || /[^\u0021-\u007e]/.test(code.location))
    throw new Error("bad location");
  const name = plainText(code.merchantName, NAME_LIMIT);
  const city = plainText(code.merchantCity, CITY_LIMIT);
  if (!name || !city) throw new Error("a Pix code names its receiver and city");
  if (!Number.isSafeInteger(code.amountCents) || code.amountCents <= 0)
    throw new Error("a Pix charge has an amount");
  const account = field("00", "br.gov.bcb.pix") + field("25", code.location);
  const open =
    field("00", "01") +
    field("01", "12") +
    field("26", account) +
    field("52", "0000") +
    field("53", "986") +
    field("54", (code.amountCents / 100).toFixed(2)) +
    field("58", "BR") +
    field("59", name) +
    field("60", city) +
    field("62", field("05", "***")) +
    "6304";
  return open + crc16(open);
}

/** Decodes a code with a valid CRC; null for anything else. */
export function decodeBrCode(text: string): BrCode | null {
  if (text.slice(-8, -4) !== "6304" || crc16(text.slice(0, -4)) !== text.slice(-4).toUpperCase())
    return null;
  const fields = readFields(text);
  const account = readFields(fields?.get("26") ?? "");
  const amount = fields?.get("54") ?? "";
  if (
    !fields ||
    account?.get("00")?.toLowerCase() !== "br.gov.bcb.pix" ||
    !/^\d{1,10}\.\d{2}$/.test(amount)
  )
    return null;
  return {
    location: account.get("25") ?? "",
    merchantName: fields.get("59") ?? "",
    merchantCity: fields.get("60") ?? "",
    amountCents: Number(amount.replace(".", "")),
  };
}

/** CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF, four upper-case hex digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, "0");
}

function field(id: string, value: string): string {
  if (value.length > 99) throw new Error(`field ${id} is too long`);
  return id + String(value.length).padStart(2, "0") + value;
}

function readFields(text: string): Map<string, string> | null {
  const fields = new Map<string, string>();
  let at = 0;
  while (at < text.length) {
    const head = /^(\d{2})(\d{2})$/.exec(text.slice(at, at + 4));
    const length = Number(head?.[2]);
    if (!head || at + 4 + length > text.length) return null;
    fields.set(head[1] ?? "", text.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
}

/** Letters without accents, no control characters, cut to the limit. */
function plainText(text: string, limit: number): string {
  const folded = text.normalize("NFD").replace(/[^\u0020-\u007e]/g, "");
  return folded.replace(/ {2,}/g, " ").trim().slice(0, limit).trim();
}
