import { getPixPayloadInfo, isValidPixPayload } from "@brazilian-utils/brazilian-utils";
import fc from "fast-check";
import { expect, test } from "vitest";
import { crc16, decodeBrCode, encodeBrCode } from "#workers/sandbox-psp/pix/br-code.ts";
import { openSandbox, pixRequest } from "#tests/workers/sandbox-psp/sandbox.ts";

const codes = fc.record({
  location: fc.stringMatching(/^[a-z0-9]{26,35}$/).map((txid) => `pix.coreto.test/qr/v2/${txid}`),
  merchantName: fc
    .stringMatching(/^[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ ]{0,60}$/)
    .filter((name) => /^[A-Za-zÀ-ÖØ-öù-ý]/.test(name.normalize("NFD").replace(/[^ -~]/g, ""))),
  merchantCity: fc.stringMatching(/^[A-Za-z][A-Za-z ]{0,30}$/),
  amountCents: fc.integer({ min: 1, max: 100_000_000 }),
});

test("the CRC-16/CCITT-FALSE matches the example of the standard", () => {
  expect(crc16("123456789")).toBe("29B1");
});

test("an encoded BR Code decodes to the same data within the limits, also with an independent decoder", () => {
  fc.assert(
    fc.property(codes, (code) => {
      const text = encodeBrCode(code);
      const read = decodeBrCode(text);
      expect(read).toMatchObject({ location: code.location, amountCents: code.amountCents });
      expect(read?.merchantName.length).toBeLessThanOrEqual(25);
      expect(read?.merchantCity.length).toBeLessThanOrEqual(15);
      expect(text).toMatch(/^[ -~]+$/);
      expect(isValidPixPayload(text)).toBe(true);
      expect(getPixPayloadInfo(text)).toMatchObject({ url: code.location });
    }),
  );
});

test("a BR Code with one changed character does not decode", () => {
  fc.assert(
    fc.property(codes, fc.nat(), (code, place) => {
      const text = encodeBrCode(code);
      const at = place % text.length;
      const broken = text.slice(0, at) + (text[at] === "7" ? "3" : "7") + text.slice(at + 1);
      expect(decodeBrCode(broken)).toBeNull();
    }),
  );
});

test("data that Pix does not allow is not encoded", () => {
  const code = {
    location: "pix.coreto.test/1",
    merchantName: "Coreto",
    merchantCity: "Recife",
    amountCents: 1,
  };
  expect(() => encodeBrCode({ ...code, amountCents: 0 })).toThrow("amount");
  expect(() => encodeBrCode({ ...code, amountCents: 1.5 })).toThrow("amount");
  expect(() => encodeBrCode({ ...code, location: `x/${"a".repeat(80)}` })).toThrow("location");
  expect(() => encodeBrCode({ ...code, merchantName: "ツ" })).toThrow("receiver");
});

test("the BR Code of a charge has the URL with its txid, and its amount", async () => {
  const sandbox = openSandbox();
  const made = await sandbox.provider.createPixCharge(pixRequest());
  const read = decodeBrCode(made.pixCode ?? "");
  expect(read).toMatchObject({
    merchantName: "Coreto Pagamentos",
    merchantCity: "Sao Paulo",
    amountCents: 1_990,
  });
  expect(read?.location).toMatch(/^pix\.coreto\.test\/qr\/v2\/[a-zA-Z0-9]{26,35}$/);
});
