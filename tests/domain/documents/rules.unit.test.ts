import { describe, expect, test } from "vitest";
import {
  approvalDeadline,
  isOfAge,
  canSell,
  canSubmitDocuments,
  documentsStatus,
} from "#app/domain/documents/rules.ts";
import { fullNameSchema } from "#app/domain/documents/schema.ts";
import { formatCpf, maskCpf } from "#app/domain/identity/tax-ids/rules.ts";
import { birthDateSchema } from "#app/domain/identity/registration/schema/birth-date.ts";
import { cpfSchema } from "#app/domain/identity/tax-ids/schema.ts";
import { DAY_MS, instantOf } from "#app/domain/time.ts";

const noon = (year: number, month: number, day: number) =>
  instantOf({ year, month, day }, 12 * 3_600_000);

describe("a CPF", () => {
  test.each([
    ["529.982.247-25", "52998224725"],
    ["52998224725", "52998224725"],
    [" 529.982.247-25 ", "52998224725"],
  ])("%j is saved as digits", (typed, digits) => {
    expect(cpfSchema.parse(typed)).toBe(digits);
  });

  test.each([
    "",
    "529.982.247-2",
    "529.982.247-26",
    "111.111.111-11",
    "000.000.000-00",
    "529 982 247 25",
    "5299822472x",
  ])("%j is refused", (typed) => {
    expect(cpfSchema.safeParse(typed).success).toBe(false);
  });

  test("is shown whole to moderators and masked to others", () => {
    expect(formatCpf("52998224725")).toBe("529.982.247-25");
    expect(maskCpf("52998224725")).toBe("***.982.247-**");
  });
});

describe("a birth date", () => {
  test.each([
    ["31/12/1990", "1990-12-31"],
    ["31121990", "1990-12-31"],
    ["31-12-1990", "1990-12-31"],
    ["31.12.1990", "1990-12-31"],
    ["1/2/2000", "2000-02-01"],
    ["29/02/2004", "2004-02-29"],
    ["1990-12-31", "1990-12-31"],
  ])("%j is parsed as %j", (typed, iso) => {
    expect(birthDateSchema.parse(typed)).toBe(iso);
  });

  test.each([
    "",
    "31/02/1990",
    "29/02/2005",
    "12/31/1990",
    "00/01/1990",
    "1/13/1990",
    "31/12/90",
    "3112199",
    "31021990",
    "31/12/1899",
  ])("%j is refused", (typed) => {
    expect(birthDateSchema.safeParse(typed).success).toBe(false);
  });
});

test.each([
  ["Ana Maria Lira", "Ana Maria Lira"],
  ["  João   D'Ávila ", "João D'Ávila"],
])("the name %j is saved as %j", (typed, saved) => {
  expect(fullNameSchema.parse(typed)).toBe(saved);
});

test.each(["", "Ana", "Ana 3", "Ana <b>"])("the name %j is refused", (typed) => {
  expect(fullNameSchema.safeParse(typed).success).toBe(false);
});

describe("the age of eighteen, in São Paulo time", () => {
  test.each([
    ["2008-11-21", noon(2026, 11, 20), false],
    ["2008-11-21", noon(2026, 11, 21), true],
    ["2008-11-21", noon(2026, 11, 22), true],
    // 23:30 on the day before is already the birthday in UTC.
    ["2008-11-21", instantOf({ year: 2026, month: 11, day: 20 }, 23.5 * 3_600_000), false],
    ["2008-11-21", instantOf({ year: 2026, month: 11, day: 21 }), true],
    ["2008-02-29", noon(2026, 2, 28), false],
    ["2008-02-29", noon(2026, 3, 1), true],
    ["1931-01-01", noon(2026, 1, 1), true],
  ])("born %s, at %i: %s", (birthDate, at, expected) => {
    expect(isOfAge(birthDate, at)).toBe(expected);
  });
});

describe("what documents allow", () => {
  const submittedAt = noon(2026, 11, 1);

  test("sells nothing before they are sent and after a rejection", () => {
    expect(canSell(null, submittedAt)).toBe(false);
    expect(canSell({ status: "rejected", submittedAt }, submittedAt)).toBe(false);
  });

  test("sent documents allow sales for fourteen days, approved ones for good", () => {
    const deadline = approvalDeadline(submittedAt);
    expect(deadline - submittedAt).toBe(14 * DAY_MS);
    expect(canSell({ status: "submitted", submittedAt }, deadline - 1)).toBe(true);
    expect(canSell({ status: "submitted", submittedAt }, deadline)).toBe(false);
    expect(canSell({ status: "approved", submittedAt }, deadline + 365 * DAY_MS)).toBe(true);
  });

  test("they can be sent once, and again only after a rejection", () => {
    expect(documentsStatus(null)).toBe("missing");
    expect(
      (["missing", "submitted", "approved", "rejected"] as const).filter(canSubmitDocuments),
    ).toEqual(["missing", "rejected"]);
  });
});
