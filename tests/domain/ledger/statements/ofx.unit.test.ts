import { expect, test } from "vitest";
import { ofxEntry, ofxHead, ofxTail } from "#app/domain/ledger/statements/rules/ofx.ts";
import { instantOfIsoDay, MINUTE_MS } from "#app/domain/time.ts";

const from = instantOfIsoDay("2026-11-01");
const until = instantOfIsoDay("2026-12-01");
const head = {
  accountNumber: "0123456789abcdef0123",
  accountName: "Disponível de Ana & Léo",
  from,
  until,
  madeAt: until,
};

test("a statement names its account and its days, in São Paulo time", () => {
  const text = ofxHead(head);
  expect(text.split("\r\n").slice(0, 3)).toEqual(["OFXHEADER:100", "DATA:OFXSGML", "VERSION:102"]);
  expect(text).toContain("<ACCTID>0123456789abcdef0123<ACCTTYPE>");
  expect(ofxTail(head, 1)).toContain("<MKTGINFO>Disponível de Ana &amp; Léo</STMTRS>");
  expect(text).toContain("<DTSTART>20261101000000[-3:BRT]<DTEND>20261201000000[-3:BRT]");
});

test.each([
  [123_456, "CREDIT", "1234.56"],
  [-5, "DEBIT", "-0.05"],
  [-100_000, "DEBIT", "-1000.00"],
])("%i centavos are a %s of %s", (amountCents, type, amount) => {
  expect(ofxEntry({ id: "t-0", at: from + 61 * MINUTE_MS, amountCents, memo: "Venda" })).toBe(
    `<STMTTRN><TRNTYPE>${type}<DTPOSTED>20261101010100[-3:BRT]<TRNAMT>${amount}<FITID>t-0<MEMO>Venda</STMTTRN>\r\n`,
  );
});

test("user text cannot add a tag or a line", () => {
  const entry = ofxEntry({
    id: "t-0",
    at: from,
    amountCents: 1,
    memo: "a</MEMO>\r\n<STMTTRN><TRNAMT>9999 & b",
  });
  expect(entry).toContain(
    "<MEMO>a&lt;/MEMO&gt; &lt;STMTTRN&gt;&lt;TRNAMT&gt;9999 &amp; b</STMTTRN>\r\n",
  );
  expect(entry.match(/<STMTTRN>/g)).toHaveLength(1);
});

test("every closing tag has an opening tag", () => {
  const text =
    ofxHead(head) + ofxEntry({ id: "t-0", at: from, amountCents: 1, memo: "x" }) + ofxTail(head, 1);
  const open: string[] = [];
  for (const [, slash, name = ""] of text.matchAll(/<(\/?)(\w+)>/g)) {
    if (slash) {
      // Values have no closing tag in SGML, so the innermost open tags are theirs.
      while (open.length > 0 && open.at(-1) !== name) open.pop();
      expect(open.pop()).toBe(name);
    } else open.push(name);
  }
  expect(open).toEqual([]);
});
