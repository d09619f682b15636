import { expect, test } from "vitest";
import type { Rps, RpsBatch } from "#app/domain/fiscal/schema.ts";
import { latinBytes, rpsText } from "#app/integrations/fiscal/rps-layout.ts";

const issuer = { municipalId: "12345678", serviceCode: "6298", issBasisPoints: 290 };
const ana: Rps = {
  number: 7,
  amountCents: 123_456,
  takerName: "Ana D’Ávila – “Łódź” 🎻 Lira",
  taxKind: "cpf",
  taxId: "52998224725",
};
const company: Rps = {
  number: 8,
  amountCents: 1,
  takerName: "Lira & Filhos Ltda".repeat(6),
  taxKind: "cnpj",
  taxId: "12ABC34501DE35",
};
const batch = (rps: Rps[]): RpsBatch => ({
  month: "2026-03",
  part: 0,
  issuedOn: "2026-04-02",
  series: "CORET",
  description: "Intermediação\nem março de 2026",
  rps,
});
const linesOf = (rps: Rps[]) => rpsText(batch(rps), issuer).split("\r\n");
/** Returns the field at the manual's positions, which start at 1. */
const at = (line: string, from: number, until: number): string => line.slice(from - 1, until);

test("a batch has a header, a line for each RPS, and a footer with their number and total", () => {
  const [head, first, second, foot, end] = linesOf([ana, company]);
  expect(head).toBe("1001123456782026040220260402");
  expect([first?.[0], second?.[0]]).toEqual(["2", "2"]);
  expect(foot).toBe(`90000002${"123457".padStart(15, "0")}${"0".repeat(15)}`);
  expect(end).toBe("");
});

test("every field of an RPS is at its position in the layout", () => {
  const [, line = ""] = linesOf([ana]);
  expect({
    type: at(line, 2, 6),
    series: at(line, 7, 11),
    number: at(line, 12, 23),
    issuedOn: at(line, 24, 31),
    situation: at(line, 32, 32),
    amount: at(line, 33, 47),
    deductions: at(line, 48, 62),
    service: at(line, 63, 67),
    rate: at(line, 68, 71),
    retained: at(line, 72, 72),
    takerKind: at(line, 73, 73),
    taxId: at(line, 74, 87),
    registrations: at(line, 88, 107),
    name: at(line, 108, 182),
    address: at(line, 183, 357),
    cep: at(line, 358, 365),
    email: at(line, 366, 440),
    description: line.slice(440),
  }).toEqual({
    type: "RPS  ",
    series: "CORET",
    number: "000000000007",
    issuedOn: "20260402",
    situation: "T",
    amount: "000000000123456",
    deductions: "0".repeat(15),
    service: "06298",
    rate: "0290",
    retained: "2",
    takerKind: "1",
    taxId: "00052998224725",
    registrations: "0".repeat(20),
    name: 'Ana D\'Ávila - "Lódz"  Lira'.padEnd(75),
    address: " ".repeat(175),
    cep: "0".repeat(8),
    email: " ".repeat(75),
    description: "Intermediação em março de 2026",
  });
});

test("a CNPJ with letters is written unchanged, and a long name is cut to its field", () => {
  const [, line = ""] = linesOf([company]);
  expect([at(line, 73, 73), at(line, 74, 87), at(line, 108, 182)]).toEqual([
    "2",
    "12ABC34501DE35",
    company.takerName.slice(0, 75),
  ]);
});

test("every character is one byte in the encoding that the city reads", () => {
  const words = rpsText(batch([ana, company]), issuer);
  const bytes = latinBytes(words);
  expect(bytes).toHaveLength(words.length);
  expect(new TextDecoder("iso-8859-1").decode(bytes)).toBe(words);
});

test("an empty batch has a header and a footer, and an invalid amount is refused", () => {
  expect(linesOf([])).toHaveLength(3);
  expect(() => linesOf([{ ...ana, amountCents: -1 }])).toThrow("is no number");
});
