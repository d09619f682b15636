import { expect, test } from "vitest";
import {
  CLAIM_MS,
  claimProblem,
  decideProblem,
  decisionEffectText,
  isUrgentReason,
  reportOutcomeText,
  retainedSince,
} from "#app/domain/moderation/reports/rules.ts";
import { evidenceTitle } from "#app/domain/moderation/reports/rules/subjects.ts";
import {
  caseDecisionSchema,
  reportReasons,
  reportSchema,
} from "#app/domain/moderation/reports/schema.ts";

const NOW = 1_800_000_000_000;
const free = { claimedBy: null, claimedAt: null, decidedAt: null };

test.each([
  ["free", free, null, "not_claimed"],
  ["own", { ...free, claimedBy: "carla", claimedAt: NOW - 1 }, null, null],
  [
    "of another",
    { ...free, claimedBy: "davi", claimedAt: NOW - 1 },
    "claimed_by_other",
    "claimed_by_other",
  ],
  [
    "of another, expired",
    { ...free, claimedBy: "davi", claimedAt: NOW - CLAIM_MS },
    null,
    "not_claimed",
  ],
  ["decided", { claimedBy: "carla", claimedAt: NOW, decidedAt: NOW }, "decided", "decided"],
])("a case that is %s is claimed and decided accordingly", (_, state, claim, decide) => {
  expect(claimProblem(state, "carla", NOW)).toBe(claim);
  expect(decideProblem(state, "carla", NOW)).toBe(decide);
});

test("only the exploitation of a child is urgent", () => {
  expect(reportReasons.filter(isUrgentReason)).toEqual(["child_exploitation"]);
});

test("a report for another reason needs words, and none takes more than 2,000 characters", () => {
  const problems = (form: object) => reportSchema.safeParse(form).error?.issues[0]?.path[0] ?? null;
  expect(problems({ reason: "other", details: "  " })).toBe("details");
  expect(problems({ reason: "other", details: "Isto." })).toBeNull();
  expect(problems({ reason: "spam" })).toBeNull();
  expect(problems({ reason: "chato" })).toBe("reason");
  expect(problems({ reason: "spam", details: "a".repeat(2_001) })).toBe("details");
});

test.each([
  [{ decision: "dismiss", rule: "", days: "" }, null],
  [{ decision: "warn", rule: "", days: "" }, "rule"],
  [{ decision: "suspend", rule: "spam", days: "" }, "days"],
  [{ decision: "suspend", rule: "spam", days: "181" }, "days"],
  [{ decision: "suspend", rule: "spam", days: "7" }, null],
  [{ rule: "spam" }, "decision"],
])("the form %o has its problem at %s", (form, field) => {
  const parsed = caseDecisionSchema.safeParse({ version: "1", reason: "Golpe.", ...form });
  expect(parsed.error?.issues[0]?.path[0] ?? null).toBe(field);
});

test("evidence stays six months of the calendar", () => {
  expect(retainedSince(Date.parse("2027-05-31T12:00:00Z"))).toBe(
    Date.parse("2026-11-30T12:00:00Z"),
  );
});

test("a reporter reads what came of a report", () => {
  expect(reportOutcomeText({ decision: null, isReversed: false })).toContain("Esperando");
  expect(reportOutcomeText({ decision: "dismiss", isReversed: false })).toContain(
    "não encontramos",
  );
  expect(reportOutcomeText({ decision: "ban", isReversed: false })).toContain("agimos");
  expect(reportOutcomeText({ decision: "ban", isReversed: true })).toContain("desfeita");
});

test("a subject's name in a list is short", () => {
  const body = "palavra ".repeat(30);
  const comment = { kind: "comment", body, postId: "p", postTitle: "", editedAt: null } as const;
  expect(Array.from(evidenceTitle(comment))).toHaveLength(80);
  expect(evidenceTitle(null)).toBe("Conteúdo já apagado");
  const files = [{ id: "f", kind: "audio", alt: "" } as const];
  const message = { kind: "message", conversationId: "c", seq: 1, editedAt: null } as const;
  expect(evidenceTitle({ ...message, files, body: "" })).toBe("Áudio");
  expect(evidenceTitle({ ...message, files, body: "Ouça" })).toBe("Ouça");
});

test("hidden content is said to be seen by all who still see it", () => {
  const text = (kind: "post" | "comment") =>
    decisionEffectText("hide", { kind, subject: "isto", suspendedUntil: null });
  expect(text("post")).toContain("a sua equipe");
  expect(text("comment")).toContain("quem cuida da página");
});
