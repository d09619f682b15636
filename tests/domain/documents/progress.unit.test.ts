import { expect, test } from "vitest";
import { approvalDeadline, CONTEST_WITHDRAWN_CODE } from "#app/domain/documents/rules.ts";
import { documentsProgress } from "#app/domain/documents/rules/progress.ts";
import { testClock } from "#tests/support/clock.ts";

const SENT = testClock.now();
const sellsUntil = approvalDeadline(SENT);
const submitted = {
  status: "submitted",
  submittedAt: SENT,
  rejectionCode: null,
  rejectionReason: null,
} as const;
const rejected = { ...submitted, status: "rejected", rejectionReason: "Foto cortada." } as const;

test.each([
  ["nothing sent", null, false, SENT, { kind: "missing" }],
  ["photos missing", submitted, false, SENT, { kind: "files_missing", sellsUntil, isOver: false }],
  [
    "photos missing when the time is over",
    submitted,
    false,
    sellsUntil,
    { kind: "files_missing", sellsUntil, isOver: true },
  ],
  ["all sent", submitted, true, sellsUntil - 1, { kind: "in_review", sellsUntil, isOver: false }],
  ["rejected", rejected, true, SENT, { kind: "rejected", reason: "Foto cortada." }],
  [
    "withdrawn after a contest",
    { ...rejected, rejectionCode: CONTEST_WITHDRAWN_CODE },
    true,
    SENT,
    { kind: "missing" },
  ],
  ["contested", { ...submitted, status: "contested" }, true, SENT, { kind: "contested" }],
  ["approved", { ...submitted, status: "approved" }, true, sellsUntil, { kind: "approved" }],
] as const)("%s", (_, documents, hasAllFiles, now, expected) => {
  expect(documentsProgress(documents, { hasAllFiles, now })).toEqual(expected);
});
