import { describe, expect, test } from "vitest";
import { REFERENCE_PARAMETER } from "#app/domain/age/schema.ts";
import type { AgeCheck } from "#app/domain/age/schema.ts";

/** What differs between the providers: how a person answers on its page, and how its time is moved. */
export type AgeCheckHarness = {
  port: AgeCheck;
  /**
   * The person's browser at the address that `begin` gave: they turn out to be an adult or not.
   * Gives where they are sent back to.
   */
  answerAt(address: string, isAdult: boolean): Promise<string>;
  advance(ms: number): void;
};

const RETURN_TO = "https://coreto.test/age-check/answer?to=%2Fspace%2Fana";
const LONG_MS = 48 * 60 * 60 * 1_000;

/** What the product asks of every age check. */
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
    ] as const)("says %s of whoever is %s", async (answer, isAdult) => {
      const harness = open();
      const { reference } = await asked(harness, "check-1", isAdult);
      expect(await harness.port.answer({ checkId: "check-1", reference })).toBe(answer);
    });

    test("sends the person back to where they came from, with a reference and nothing else added", async () => {
      const { back } = await asked(open(), "check-1", true);
      back.searchParams.delete(REFERENCE_PARAMETER);
      expect(back.href).toBe(RETURN_TO);
    });

    test("knows nothing of another check, of a reference that was changed, or of none", async () => {
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

    test("what it was asked with is no answer", async () => {
      const harness = open();
      const address = await harness.port.begin({ checkId: "check-1", returnTo: RETURN_TO });
      expect(
        await harness.port.answer({
          checkId: "check-1",
          reference: address.split("/").at(-1) ?? "",
        }),
      ).toBe("unknown");
    });

    test("an old reference says nothing any more", async () => {
      const harness = open();
      const { reference } = await asked(harness, "check-1", true);
      harness.advance(LONG_MS);
      expect(await harness.port.answer({ checkId: "check-1", reference })).toBe("unknown");
    });

    test("the name that is kept beside an answer is the provider's own", () => {
      expect(open().port.name).toBe(provider);
    });
  });
}
