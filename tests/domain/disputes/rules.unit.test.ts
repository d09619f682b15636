import { describe, expect, test } from "vitest";
import {
  evidenceSubmitProblem,
  disputeStateOf,
  evidenceEditProblem,
} from "#app/domain/disputes/rules/answers.ts";
import type { AnswerStatus, DisputeStateInput } from "#app/domain/disputes/rules/answers.ts";
import { disputeBalanceLines } from "#app/domain/disputes/rules/balance.ts";
import { payerActivityLine, saleEvidenceLines } from "#app/domain/disputes/rules/sale-evidence.ts";
import type { SaleEvidence } from "#app/domain/disputes/schema.ts";
import { evidenceFileName } from "#app/domain/disputes/schema.ts";
import { disputeLost, disputeOpened, disputeWon } from "#app/domain/ledger/rules.ts";
import type { Posting } from "#app/domain/ledger/schema.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const open: DisputeStateInput = { status: "open", respondBy: NOW + 1, underReviewAt: null };

describe("a dispute", () => {
  test.each<[DisputeStateInput, string]>([
    [open, "needs_response"],
    [{ ...open, respondBy: NOW }, "too_late"],
    [{ ...open, respondBy: null }, "needs_response"],
    [{ ...open, respondBy: NOW - 1, underReviewAt: NOW - 2 }, "under_review"],
    [{ ...open, status: "won", underReviewAt: NOW }, "won"],
    [{ ...open, status: "lost", respondBy: NOW - 1 }, "lost"],
  ])("%j is %s", (standing, state) => expect(disputeStateOf(standing, NOW)).toBe(state));

  test.each<[DisputeStateInput, AnswerStatus | null, string | null]>([
    [open, null, null],
    [open, "draft", null],
    [open, "submitted", "answered"],
    [open, "refused", "answered"],
    [{ ...open, underReviewAt: NOW }, "sent", "answered"],
    [{ ...open, underReviewAt: NOW }, null, "reviewing"],
    [{ ...open, respondBy: NOW }, "draft", "too_late"],
    [{ ...open, status: "won" }, "draft", "decided"],
  ])("%j with an answer that is %s: %s", (standing, status, problem) =>
    expect(evidenceEditProblem(standing, status && { status }, NOW)).toBe(problem),
  );

  test("is answered by text, a file or both, and not by nothing", () => {
    const draft = (text: string) => ({ status: "draft" as const, text });
    expect([
      evidenceSubmitProblem(open, null, 0, NOW),
      evidenceSubmitProblem(open, draft(""), 0, NOW),
      evidenceSubmitProblem(open, draft("x"), 0, NOW),
      evidenceSubmitProblem(open, draft(""), 1, NOW),
    ]).toEqual(["empty", "empty", null, null]);
  });
});

describe("the effect on the balance", () => {
  const dispute = { id: "d", amountCents: 1_000, feeShareCents: 50 };
  const ref = {
    chargeId: "c",
    creatorId: "ana",
    provider: "sandbox",
    disputeId: "d",
    amountCents: 1_000,
    feeShareCents: 50,
  };
  const entriesOf = (...postings: Posting[]) =>
    postings.flatMap(({ sourceKey, legs }) =>
      legs.map(({ account, debitCents }) => ({
        accountKind: account.kind,
        amountCents: debitCents,
        sourceKey,
      })),
    );
  const opened = disputeOpened({
    ...ref,
    recourse: { pendingOfChargeCents: 300, availableCents: 400 },
  });
  const cents = (entries: ReturnType<typeof entriesOf>) =>
    Object.fromEntries(
      disputeBalanceLines(dispute, entries).map((line) => [line.label, line.cents]),
    );

  test("is read from the postings while the dispute is open", () => {
    expect(cents(entriesOf(opened))).toEqual({
      "Valor contestado": 1_000,
      "Parte da taxa do Coreto, que também fica bloqueada": 50,
      "Saiu do que estava a liberar": 300,
      "Saiu do disponível": 400,
      "Ficou para descontar das próximas vendas": 250,
      "Bloqueado agora": 950,
    });
  });

  test("blocks nothing once the dispute is decided", () => {
    expect(cents(entriesOf(opened, disputeLost(ref)))).toMatchObject({
      "Bloqueado agora": 0,
      "Voltou a quem pagou, do que era seu": 950,
    });
    expect(
      cents(entriesOf(opened, disputeWon({ ...ref, waitingCents: 0, owedCents: 250 }))),
    ).toMatchObject({
      "Bloqueado agora": 0,
      "Abateu do que havia a descontar": 250,
      "Voltou para o disponível": 700,
    });
  });
});

describe("the evidence text for the bank", () => {
  const evidence: SaleEvidence = {
    description: "Assinatura Camarim, de Ana Lira",
    payerName: "Bruno",
    paidAt: NOW,
    amountCents: 1_990,
    method: "pix",
    period: null,
    earlierPayments: 0,
    canceledAt: null,
    refundedCents: 0,
    disputedCents: 1_990,
    activity: null,
  };

  test("states what is known and no more", () => {
    expect(saleEvidenceLines(evidence).join("\n")).not.toMatch(/null|undefined|NaN/);
    expect(saleEvidenceLines(evidence)).toHaveLength(4);
    expect(
      saleEvidenceLines({
        ...evidence,
        period: { startsAt: NOW, endsAt: NOW },
        earlierPayments: 2,
        refundedCents: 100,
        disputedCents: 1_890,
      }),
    ).toHaveLength(7);
    // A partial amount is stated without the rest.
    expect(
      saleEvidenceLines({ ...evidence, refundedCents: 100, disputedCents: 500 }).slice(-2),
    ).toEqual([
      "R$\u00a01,00 deste pagamento já tinham sido devolvidos.",
      "A contestação é de R$\u00a05,00 deste pagamento.",
    ]);
    expect(saleEvidenceLines({ ...evidence, canceledAt: NOW }).join()).toContain(
      "A renovação foi cancelada",
    );
  });

  test.each([
    [null, 0, "A pessoa podia desistir em 7 dias e receber tudo de volta, na própria conta"],
    [
      { startsAt: NOW, endsAt: NOW },
      0,
      "A pessoa podia cancelar a renovação, ou desistir em 7 dias",
    ],
    [{ startsAt: NOW, endsAt: NOW }, 3, "A pessoa podia cancelar a renovação, na própria conta"],
  ])(
    "names only the ways to end that existed: %j after %i payments",
    (period, earlierPayments, line) => {
      expect(saleEvidenceLines({ ...evidence, period, earlierPayments }).join("\n")).toContain(
        line,
      );
    },
  );

  test("counts posts in correct Portuguese", () => {
    expect(payerActivityLine({ posts: 1, firstAt: NOW, lastAt: NOW })).toMatch(
      /em 1 publicação de quem vendeu, em /,
    );
    expect(payerActivityLine({ posts: 3, firstAt: NOW, lastAt: NOW + 60_000 })).toMatch(
      /em 3 publicações de quem vendeu, entre .+ e /,
    );
  });
});

test.each([
  ["recibo.pdf", "recibo.pdf"],
  ["../../etc/passwd", "....etcpasswd"],
  ["a\r\nb\u0000.png", "a b.png"],
  ["nota\u202Egnp.pdf", "notagnp.pdf"],
  [`${"😀".repeat(201)}.png`, `${"😀".repeat(196)}.png`],
  ["", "arquivo"],
  [`${"x".repeat(300)}.pdf`, `${"x".repeat(196)}.pdf`],
])("a file named %j is saved as %j", (given, saved) => expect(evidenceFileName(given)).toBe(saved));
