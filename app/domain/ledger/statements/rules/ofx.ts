import type { Cents } from "#app/domain/money.ts";
import { isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * The header data of an OFX statement. `accountNumber` identifies the account to other programs: it
 * never changes, and has at most 22 characters.
 */
export type OfxStatement = {
  accountNumber: string;
  accountName: string;
  from: Instant;
  until: Instant;
  madeAt: Instant;
};

export type OfxEntry = { id: string; at: Instant; amountCents: Cents; memo: string };

/**
 * The institution of the account, in the field where a bank writes its number; at most nine
 * characters.
 */
const KEEPER = "CORETO";

/**
 * Formats the start of an OFX 1.02 statement: header, signon and account. It is SGML, which
 * Brazilian bookkeeping programs read. Source: Open Financial Exchange 1.0.2, chapters 2 and 11
 * (BANKACCTFROM, 11.3.1: BANKID A-9, ACCTID A-22).
 */
export function ofxHead({ accountNumber, from, until, madeAt }: OfxStatement): string {
  return [
    "OFXHEADER:100",
    "DATA:OFXSGML",
    "VERSION:102",
    "SECURITY:NONE",
    "ENCODING:UTF-8",
    "CHARSET:NONE",
    "COMPRESSION:NONE",
    "OLDFILEUID:NONE",
    "NEWFILEUID:NONE",
    "",
    `<OFX><SIGNONMSGSRSV1><SONRS>${STATUS}<DTSERVER>${ofxTime(madeAt)}<LANGUAGE>POR</SONRS></SIGNONMSGSRSV1>`,
    `<BANKMSGSRSV1><STMTTRNRS><TRNUID>1${STATUS}<STMTRS><CURDEF>BRL<BANKACCTFROM><BANKID>${KEEPER}<ACCTID>${memoText(accountNumber)}<ACCTTYPE>CHECKING</BANKACCTFROM>`,
    `<BANKTRANLIST><DTSTART>${ofxTime(from)}<DTEND>${ofxTime(until)}`,
    "",
  ].join("\r\n");
}

const STATUS = "<STATUS><CODE>0<SEVERITY>INFO</STATUS>";

/** Formats one entry. Its id never changes, so that a program recognises it in two statements. */
export function ofxEntry({ id, at, amountCents, memo }: OfxEntry): string {
  return `<STMTTRN><TRNTYPE>${amountCents < 0 ? "DEBIT" : "CREDIT"}<DTPOSTED>${ofxTime(at)}<TRNAMT>${ofxAmount(amountCents)}<FITID>${memoText(id)}<MEMO>${memoText(memo)}</STMTTRN>\r\n`;
}

/**
 * Formats the end of the statement: the closing balance, and the account's name as a program may
 * show it.
 */
export function ofxTail({ accountName, until }: OfxStatement, closingCents: Cents): string {
  return `</BANKTRANLIST><LEDGERBAL><BALAMT>${ofxAmount(closingCents)}<DTASOF>${ofxTime(until)}</LEDGERBAL><MKTGINFO>${memoText(accountName)}</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\r\n`;
}

const SAO_PAULO_CLOCK = new Intl.DateTimeFormat("en-GB", {
  timeZone: "America/Sao_Paulo",
  hourCycle: "h23",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** Formats a time for OFX: `20261122081500[-3:BRT]`. */
const ofxTime = (at: Instant): string =>
  `${isoDay(at).replaceAll("-", "")}${SAO_PAULO_CLOCK.format(at).replaceAll(":", "")}[-3:BRT]`;

/** Formats an amount for OFX: `-1234.56`. */
function ofxAmount(cents: Cents): string {
  const whole = Math.trunc(Math.abs(cents) / 100);
  return `${cents < 0 ? "-" : ""}${whole}.${String(Math.abs(cents) % 100).padStart(2, "0")}`;
}

/** Escapes a text so that nothing in it is read as a tag. A memo has at most 255 characters. */
function memoText(text: string): string {
  const line = Array.from(text.replaceAll(/\s+/g, " ").trim()).slice(0, 200).join("");
  return line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
