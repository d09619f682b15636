import { describe, expect, test } from "vitest";
import {
  ageCheckProblem,
  adultMarkProblem,
  AGE_CHECK_RETRY_AFTER_MS,
} from "#app/domain/age/rules.ts";
import { instantOfIsoDay } from "#app/domain/time.ts";

const NOW = instantOfIsoDay("2026-11-22");

describe("who can start an age check", () => {
  const nobody = { birthDate: "1990-01-31", ageCheckedAt: null, refusedAt: null };
  test.each([
    ["a member who declared 18 years or more: a declaration is not enough", nobody, null],
    ["a member without a birth date", { ...nobody, birthDate: null }, null],
    ["a member who turns 18 today", { ...nobody, birthDate: "2008-11-22" }, null],
    [
      "not a member who turns 18 tomorrow",
      { ...nobody, birthDate: "2008-11-23" },
      { kind: "underage" },
    ],
    ["not a member with a positive check", { ...nobody, ageCheckedAt: 1 }, { kind: "checked" }],
    [
      "not a member with a negative check on that day",
      { ...nobody, refusedAt: NOW - AGE_CHECK_RETRY_AFTER_MS + 1 },
      { kind: "refused", until: NOW + 1 },
    ],
    [
      "a member with a negative check a day later",
      { ...nobody, refusedAt: NOW - AGE_CHECK_RETRY_AFTER_MS },
      null,
    ],
  ])("%s", (_name, status, problem) => {
    expect(ageCheckProblem(status, NOW)).toEqual(problem);
  });
});

describe("whose page can be marked as for adults", () => {
  test.each([
    ["not a page without documents", null, "documents_missing"],
    [
      "not a page whose documents were rejected",
      { status: "rejected", birthDate: "1990-01-31" },
      "documents_rejected",
    ],
    [
      "not a page whose documents show 17 years",
      { status: "approved", birthDate: "2008-11-23" },
      "underage",
    ],
    [
      "a page whose documents under review show 18 years",
      { status: "submitted", birthDate: "2008-11-22" },
      null,
    ],
    ["a page whose documents were approved", { status: "approved", birthDate: "1990-01-31" }, null],
  ] as const)("%s", (_name, documents, problem) => {
    expect(adultMarkProblem(documents, NOW)).toBe(problem);
  });
});
