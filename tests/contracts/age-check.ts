import { describe, expect, test } from "vitest";
import { REFERENCE_PARAMETER } from "#app/domain/age/schema.ts";
import type { AgeCheck } from "#app/domain/age/schema.ts";

/** The provider-specific parts: how a person answers on its page, and how its time is moved. */
export type AgeCheckHarness = {
  port: AgeCheck;
  /**
   * Answers as the person's browser at the address that `begin` returned, as an adult or not.
   * Returns the redirect address.
   */
  answerAt(address: string, isAdult: boolean): Promise<string>;
  advance(ms: number): void;
};

const RETURN_TO = "https://coreto.test/age-check/answer?to=%2Fspace%2Fana";
const LONG_MS = 48 * 60 * 60 * 1_000;

/** The tests that every age check must pass. */
export function ageCheckContract(provider: string, open: () => AgeCheckHarness): void {
  const asked = async (harness: AgeCheckHarness, checkId: string, isAdult: boolean) => {
    const back = await harness.answerAt(
      await harness.port.begin({ checkId, returnTo: RETURN_TO }),
      isAdult,
    );
    return {
      back: new URL(back),
      reference: new URL(back).searchParams.get(REFERENCE_PARAMETER) ?? "",
    };
  };

  describe(`age check: ${provider}`, () => {
    test.each([
      ["yes", true],
      ["no", false],
    ] as const)("reports %s for a person who is %s", async (answer, isAdult) => {
      const harness = open();
      const { reference } = await asked(harness, "check-1", isAdult);
      expect(await harness.port.answer({ checkId: "check-1", reference })).toBe(answer);
    });

    test("redirects the person back with only a reference added", async () => {
      const { back } = await asked(open(), "check-1", true);
      back.searchParams.delete(REFERENCE_PARAMETER);
      expect(back.href).toBe(RETURN_TO);
    });

    test("does not know the reference of another check, a changed one, or none", async () => {
      const harness = open();
      const { reference } = await asked(harness, "check-1", true);
      expect(await harness.port.answer({ checkId: "check-2", reference })).toBe("unknown");
      expect(
        await harness.port.answer({
          checkId: "check-1",
          reference: `${reference.slice(0, -1)}${reference.endsWith("0") ? "1" : "0"}`,
        }),
      ).toBe("unknown");
      expect(await harness.port.answer({ checkId: "check-1", reference: "" })).toBe("unknown");
    });

    test("does not accept the request reference as an answer", async () => {
      const harness = open();
      const address = await harness.port.begin({ checkId: "check-1", returnTo: RETURN_TO });
      expect(
        await harness.port.answer({
          checkId: "check-1",
          reference: address.split("/").at(-1) ?? "",
        }),
      ).toBe("unknown");
    });

    test("no longer knows an expired reference", async () => {
      const harness = open();
      const { reference } = await asked(harness, "check-1", true);
      harness.advance(LONG_MS);
      expect(await harness.port.answer({ checkId: "check-1", reference })).toBe("unknown");
    });

    test("stores the provider's own name beside the answer", () => {
      expect(open().port.name).toBe(provider);
    });
  });
}
