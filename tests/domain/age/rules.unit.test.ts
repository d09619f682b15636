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
    ["who declared 18 years or more is asked: declaring is not enough", nobody, null],
    ["who never said a date is asked", { ...nobody, birthDate: null }, null],
    ["who turns 18 today is asked", { ...nobody, birthDate: "2008-11-22" }, null],
    ["who turns 18 tomorrow is not", { ...nobody, birthDate: "2008-11-23" }, { kind: "underage" }],
    ["who was checked is not asked again", { ...nobody, ageCheckedAt: 1 }, { kind: "checked" }],
    [
      "who was refused waits a day",
      { ...nobody, refusedAt: NOW - AGE_CHECK_RETRY_AFTER_MS + 1 },
      { kind: "refused", until: NOW + 1 },
    ],
    ["and may try again then", { ...nobody, refusedAt: NOW - AGE_CHECK_RETRY_AFTER_MS }, null],
  ])("%s", (_name, standing, problem) => {
    expect(ageCheckProblem(standing, NOW)).toEqual(problem);
  });
});

describe("whose page can be marked as for adults", () => {
  test.each([
    ["nobody's without documents", null, "documents_missing"],
    [
      "nobody's whose documents were refused",
      { status: "rejected", birthDate: "1990-01-31" },
      "documents_rejected",
    ],
    [
      "nobody's whose documents show 17 years",
      { status: "approved", birthDate: "2008-11-23" },
      "underage",
    ],
    [
      "theirs whose documents wait and show 18",
      { status: "submitted", birthDate: "2008-11-22" },
      null,
    ],
    ["theirs whose documents were approved", { status: "approved", birthDate: "1990-01-31" }, null],
  ] as const)("%s", (_name, documents, problem) => {
    expect(adultMarkProblem(documents, NOW)).toBe(problem);
  });
});
