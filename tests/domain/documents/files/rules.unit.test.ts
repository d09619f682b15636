import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { awaitsDecision } from "#app/domain/documents/rules.ts";
import {
  decisionDueAt,
  documentsStep,
  isDecisionUrgent,
} from "#app/domain/documents/expiry/rules.ts";
import {
  inspectDocumentFile,
  canChangeFiles,
  missingFiles,
} from "#app/domain/documents/files/rules.ts";
import {
  REJECTION_REASONS,
  rejectionCodes,
  rejectionText,
} from "#app/domain/documents/reasons/rules.ts";
import { approvalSchema, rejectionSchema } from "#app/domain/documents/reasons/schema.ts";
import { DOCUMENT_FILE_MAX_BYTES } from "#app/domain/documents/schema.ts";
import { notificationsFor } from "#tests/support/notifications.ts";
import { fileKinds } from "#app/domain/documents/schema/file-kinds.ts";
import type { FileKind } from "#app/domain/documents/schema/file-kinds.ts";
import { DAY_MS, formatDay, instantOf } from "#app/domain/time.ts";
import { pdf } from "#tests/support/media-files.ts";

/** The header of a JPG of 16 by 16. */
const jpeg = new Uint8Array([
  0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 16, 0, 16, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xff, 0xd9,
]);

describe("the missing files", () => {
  test.each<[FileKind[], boolean, string[]]>([
    [[], false, ["identity", "selfie"]],
    [["id_front"], false, ["id_back", "selfie"]],
    [["id_back", "selfie"], false, ["id_front"]],
    [["id_front", "id_back", "selfie"], false, []],
    [["passport", "selfie"], false, []],
    [["id_pdf", "selfie"], false, []],
    [["id_pdf", "selfie"], true, ["company_card"]],
    [["passport", "selfie", "company_card"], true, []],
    [["company_card"], true, ["identity", "selfie"]],
  ])("with %j, of a company %s: %j", (kinds, isCompany, missing) => {
    expect(missingFiles(kinds, isCompany)).toEqual(missing);
  });

  test("never grow with another file", () => {
    fc.assert(
      fc.property(
        fc.subarray([...fileKinds]),
        fc.constantFrom(...fileKinds),
        fc.boolean(),
        (kinds, more, isCompany) => {
          const weight = (sent: FileKind[]) =>
            missingFiles(sent, isCompany).reduce(
              (sum, one) => sum + (one === "identity" ? 2 : 1),
              0,
            );
          expect(weight([...kinds, more])).toBeLessThanOrEqual(weight(kinds));
        },
      ),
    );
  });
});

test.each<[FileKind, Uint8Array, string]>([
  ["id_front", jpeg, "photo"],
  ["selfie", jpeg, "photo"],
  ["company_card", jpeg, "photo"],
  ["company_card", pdf(), "pdf"],
  ["id_pdf", pdf(), "pdf"],
  ["id_pdf", jpeg, "not_here"],
  ["selfie", pdf(), "not_here"],
  ["passport", pdf(), "not_here"],
  ["id_front", new TextEncoder().encode("<html><script>alert(1)</script></html>"), "unknown_type"],
  [
    "id_front",
    new Uint8Array([
      0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70, 0x68, 0x65, 0x69, 0x63, 0, 0, 0, 0, 0x6d, 0x69, 0x66,
      0x31, 0x68, 0x65, 0x69, 0x63,
    ]),
    "unknown_type",
  ],
  ["selfie", new Uint8Array(), "unknown_type"],
  ["selfie", new Uint8Array(DOCUMENT_FILE_MAX_BYTES + 1), "too_heavy"],
])("as %s, these bytes are inspected by themselves (case %#)", (kind, bytes, verdict) => {
  const judged = inspectDocumentFile(kind, bytes);
  expect(judged.ok ? (judged.isImage ? "photo" : "pdf") : judged.why).toBe(verdict);
});

describe("the schedule of documents", () => {
  const submittedAt = instantOf({ year: 2026, month: 11, day: 1 }, 12 * 3_600_000);
  const waiting = {
    status: "submitted",
    submittedAt,
    filesAt: submittedAt,
    decidedAt: null,
    expiresOn: null,
    remindedAt: null,
  } as const;
  const approved = {
    status: "approved",
    submittedAt,
    filesAt: submittedAt,
    decidedAt: submittedAt + DAY_MS,
    expiresOn: "2027-03-31",
    remindedAt: null,
  } as const;
  const on = (year: number, month: number, day: number) =>
    instantOf({ year, month, day }, 12 * 3_600_000);
  const renewed = { ...approved, filesAt: on(2027, 3, 2) };

  test.each([
    ["nine days of waiting", waiting, submittedAt + 9 * DAY_MS, null],
    ["four days before the deadline", waiting, submittedAt + 10 * DAY_MS, "warn_deadline"],
    ["already notified", { ...waiting, remindedAt: submittedAt }, submittedAt + 11 * DAY_MS, null],
    ["after the deadline", waiting, submittedAt + 14 * DAY_MS, null],
    ["a document that expires in two months", approved, on(2027, 2, 1), null],
    ["a document that expires in thirty days", approved, on(2027, 3, 1), "warn_expiry"],
    [
      "already notified of the expiry",
      { ...approved, remindedAt: submittedAt },
      on(2027, 3, 2),
      null,
    ],
    ["its last valid day", { ...approved, remindedAt: submittedAt }, on(2027, 3, 31), null],
    [
      "the day after its last valid day",
      { ...approved, remindedAt: submittedAt },
      on(2027, 4, 1),
      "expire",
    ],
    ["a new document was sent", renewed, on(2027, 3, 3), null],
    [
      "the day after the old one expired, with the new one under review",
      renewed,
      on(2027, 4, 1),
      null,
    ],
    ["fourteen days after it expired", renewed, on(2027, 4, 14), null],
    ["and nothing later", renewed, on(2027, 4, 15), "expire"],
    ["a document without an expiry", { ...approved, expiresOn: null }, on(2040, 1, 1), null],
    ["rejected documents", { ...waiting, status: "rejected" }, submittedAt + 11 * DAY_MS, null],
  ] as const)("%s", (_, documents, now, step) => {
    expect(documentsStep(documents, now)).toBe(step);
  });

  test.each([
    ["newly sent", waiting, "15/11/2026"],
    ["a new document, before the old one expires", renewed, "31/03/2027"],
    ["approved documents, which await no answer", approved, "15/11/2026"],
  ] as const)("a decision on %s is due on a day", (_, documents, day) => {
    expect(formatDay(decisionDueAt(documents))).toBe(day);
    expect([
      isDecisionUrgent(decisionDueAt(documents), decisionDueAt(documents) - 5 * DAY_MS),
      isDecisionUrgent(decisionDueAt(documents), decisionDueAt(documents) - 4 * DAY_MS),
    ]).toEqual([false, true]);
    expect(awaitsDecision(documents)).toBe(documents !== approved);
  });

  test("files can change while they are under review, and when the document is about to expire", () => {
    expect(canChangeFiles(null, submittedAt)).toBe(false);
    expect(canChangeFiles(waiting, submittedAt)).toBe(true);
    expect(canChangeFiles({ status: "rejected", expiresOn: null }, submittedAt)).toBe(false);
    expect(canChangeFiles(approved, on(2027, 2, 1))).toBe(false);
    expect(canChangeFiles(approved, on(2027, 3, 1))).toBe(true);
    expect(canChangeFiles({ ...approved, expiresOn: null }, on(2040, 1, 1))).toBe(false);
  });
});

describe("a rejection", () => {
  test.each(rejectionCodes)(
    "%s gives the reason and the next step, and asks for nothing that cannot be changed",
    (code) => {
      const text = rejectionText(code, "");
      expect(text).toContain(REJECTION_REASONS[code].todo);
      expect(text.endsWith(".")).toBe(true);
    },
  );

  test("for another reason needs a note; for a listed reason the note is optional", () => {
    expect(
      rejectionSchema.safeParse({ code: "other", note: "", seenAt: "12" }).error?.issues[0]?.path,
    ).toEqual(["note"]);
    expect(rejectionSchema.parse({ code: "selfie", seenAt: "12" })).toEqual({
      code: "selfie",
      note: "",
      seenAt: 12,
      bornOn: null,
      confirmedBornOn: null,
    });
    expect(rejectionText("selfie", "O rosto está na sombra.")).toBe(
      "A selfie não deixa ver bem o rosto, ou parece de outra pessoa. O rosto está na sombra. Tire outra de frente, sem óculos escuros nem boné, num lugar claro.",
    );
  });

  test("and an approval need the version of the files that was seen", () => {
    for (const schema of [approvalSchema, rejectionSchema])
      expect(
        schema.safeParse({ code: "selfie", expiresOn: "" }).error?.issues.map(({ path }) => path),
      ).toEqual([["seenAt"]]);
  });

  test("an approval has an expiry date or none", () => {
    expect(approvalSchema.parse({ expiresOn: "", seenAt: "12" })).toEqual({
      expiresOn: null,
      seenAt: 12,
      lookedUp: false,
    });
    expect(approvalSchema.parse({ expiresOn: "31/12/2030", seenAt: "0" })).toEqual({
      expiresOn: "2030-12-31",
      seenAt: 0,
      lookedUp: false,
    });
    expect(approvalSchema.parse({ seenAt: "12", lookedUp: "on" }).lookedUp).toBe(true);
    expect(approvalSchema.safeParse({ expiresOn: "31/02/2030", seenAt: "12" }).success).toBe(false);
  });
});

test("notifications about documents name the next step", () => {
  const deadlineAt = instantOf({ year: 2026, month: 11, day: 20 });
  const bodies = [
    { type: "documents.deadline", personId: "ana", deadlineAt, isMissing: true } as const,
    { type: "documents.deadline", personId: "ana", deadlineAt, isMissing: false } as const,
    { type: "documents.ending", personId: "ana", expiresOn: "2027-03-31" } as const,
    { type: "documents.ended", personId: "ana", deadlineAt } as const,
    { type: "documents.ended", personId: "ana", deadlineAt, isSent: true } as const,
    {
      type: "documents.decided",
      personId: "ana",
      decision: "rejected",
      reason: "Motivo.",
      decidedAt: 1,
      approval: { until: "2027-03-31" },
    } as const,
    {
      type: "documents.decided",
      personId: "ana",
      decision: "rejected",
      reason: "Motivo.",
      decidedAt: deadlineAt,
      approval: { until: "2026-11-19" },
    } as const,
    {
      type: "documents.decided",
      personId: "ana",
      decision: "rejected",
      reason: "Motivo.",
      decidedAt: 1,
      approval: "taken_back",
    } as const,
  ].map((message) => notificationsFor(message)[0]?.body ?? "");
  expect(bodies[0]).toContain("Faltam fotos");
  expect(bodies[1]).toContain("Você não precisa fazer nada");
  expect(bodies[2]).toContain("31/03/2027");
  expect(bodies[3]).toContain("Mande um novo");
  expect(bodies[4]).toMatch(/a demora é nossa.*20\/11\/2026.*Você não precisa fazer nada/);
  expect(bodies[5]).toMatch(/não serviu: Motivo\. O de antes vale até 31\/03\/2027/);
  expect(bodies[6]).toContain("O de antes venceu em 19/11/2026: os saques esperam por outro.");
  expect(bodies[7]).toMatch(/retiramos a aprovação: Motivo\. As vendas param e os saques esperam/);
  expect(
    notificationsFor({
      type: "documents.contest_late",
      moderatorIds: ["carla"],
      personId: "ana",
      answerBy: deadlineAt,
    }),
  ).toMatchObject([
    {
      personId: "carla",
      path: "/admin/documents/ana",
      body: expect.stringContaining("20/11/2026"),
    },
  ]);
});
