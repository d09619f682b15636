import { describe, expect, test } from "vitest";
import {
  deletionConsequenceLines,
  deletionDueAt,
  deletionStep,
  lastPayoutCents,
  canRequestLastPayout,
  deletionWaitReasons,
  waitReasonText,
} from "#app/domain/deletion/rules.ts";
import { deletionSchema } from "#app/domain/deletion/schema.ts";
import type {
  AccountDeletion,
  DeletionPreview,
  DeletionBlockers,
} from "#app/domain/deletion/schema.ts";
import { DAY_MS } from "#app/domain/time.ts";

const REQUESTED_AT = Date.UTC(2026, 10, 21, 15);
const DUE_AT = deletionDueAt(REQUESTED_AT);

describe("the schedule of a deletion", () => {
  const of = (more: Partial<AccountDeletion>) => ({
    status: "requested" as const,
    dueAt: DUE_AT,
    remindedAt: null,
    finishedAt: null,
    ...more,
  });

  test("is due after thirty days at the same time of day", () => {
    expect(DUE_AT - REQUESTED_AT).toBe(30 * DAY_MS);
  });

  test.each([
    ["at once", of({}), REQUESTED_AT, "nothing"],
    ["a millisecond before the last three days", of({}), DUE_AT - 3 * DAY_MS - 1, "nothing"],
    ["three days before", of({}), DUE_AT - 3 * DAY_MS, "remind"],
    ["once reminded", of({ remindedAt: 1 }), DUE_AT - 1, "nothing"],
    ["on the day", of({ remindedAt: 1 }), DUE_AT, "begin"],
    ["on the day, never reminded", of({}), DUE_AT, "begin"],
    ["while the account closes", of({ status: "closing" }), DUE_AT, "close"],
    ["done, its email not sent", of({ status: "done" }), DUE_AT, "finish"],
    ["done and notified", of({ status: "done", finishedAt: 1 }), DUE_AT, "nothing"],
    ["canceled, long after", of({ status: "canceled" }), DUE_AT + 99 * DAY_MS, "nothing"],
  ] as const)("%s: %s", (_, deletion, now, step) => {
    expect(deletionStep(deletion, now)).toBe(step);
  });
});

const clear: DeletionBlockers = {
  hasLiveSubscriptions: false,
  hasSoldPurchases: false,
  hasOpenCharges: false,
  hasWaitingRefunds: false,
  hasFailedRefunds: false,
  hasOpenDisputes: false,
  hasOpenPayout: false,
  hasPayoutJustFailed: false,
  hasPendingMessages: false,
  availableCents: 0,
  pendingCents: 0,
  lastReleaseAt: null,
  payoutProblem: "no_method",
};

describe("the blockers of a deletion", () => {
  test.each<[string, Partial<DeletionBlockers>, string[]]>([
    ["nothing", {}, []],
    ["a subscription", { hasLiveSubscriptions: true }, ["subscriptions"]],
    ["a purchase", { hasSoldPurchases: true }, ["purchases"]],
    ["a charge", { hasOpenCharges: true }, ["charges"]],
    ["a dispute", { hasOpenDisputes: true }, ["disputes"]],
    ["a pending refund", { hasWaitingRefunds: true }, ["refunds"]],
    ["a refund that failed", { hasFailedRefunds: true }, ["failed_refunds"]],
    ["a pending payout, whatever the key", { hasOpenPayout: true, availableCents: 1 }, ["payout"]],
    ["one centavo without a key", { availableCents: 1 }, ["balance"]],
    [
      "one centavo whose payout just failed",
      { availableCents: 1, payoutProblem: null, hasPayoutJustFailed: true },
      ["balance"],
    ],
    ["money to be released", { pendingCents: 1, lastReleaseAt: DUE_AT }, ["pending"]],
    ["an email", { hasPendingMessages: true }, ["messages"]],
  ])("%s", (_, more, kinds) => {
    const reasons = deletionWaitReasons({ ...clear, ...more });
    expect(reasons.map(({ kind }) => kind)).toEqual(kinds);
    for (const reason of reasons) expect(waitReasonText(reason)).toMatch(/\.$/);
  });

  test("the last payout is requested when only the payout is missing, from one centavo on", () => {
    const payable = { ...clear, availableCents: 1, payoutProblem: null };
    expect(canRequestLastPayout(payable)).toBe(true);
    expect(canRequestLastPayout({ ...payable, hasPendingMessages: true })).toBe(true);
    expect(canRequestLastPayout({ ...payable, availableCents: 0 })).toBe(false);
    expect(canRequestLastPayout({ ...payable, payoutProblem: "banned" })).toBe(false);
    for (const open of [
      "hasLiveSubscriptions",
      "hasSoldPurchases",
      "hasOpenCharges",
      "hasOpenDisputes",
      "hasWaitingRefunds",
      "hasFailedRefunds",
      "hasOpenPayout",
      "hasPayoutJustFailed",
    ] as const) {
      expect(canRequestLastPayout({ ...payable, [open]: true })).toBe(false);
    }
    expect(canRequestLastPayout({ ...payable, pendingCents: 1 })).toBe(false);
  });
});

describe("the consequences of a deletion in words", () => {
  const none: DeletionPreview = {
    subscriptions: [],
    refundToThemCents: 0,
    purchasesCount: 0,
    seatsCount: 0,
    eventsCount: 0,
    buyersCount: 0,
    refundToBuyersCents: 0,
    giftsCount: 0,
    refundToGiversCents: 0,
    subscribersCount: 0,
    refundToSubscribersCents: 0,
    refundFromBalanceCents: 0,
    availableCents: 0,
    pendingCents: 0,
    reservedCents: 0,
    inTransitCents: 0,
    owedCents: 0,
    postsCount: 0,
    keysCount: 0,
  };

  test("omit what the member does not have", () => {
    expect(deletionConsequenceLines(none)).toEqual([]);
  });

  test("list subscriptions, subscribers and balance with their amounts", () => {
    const subscription = {
      id: "s",
      planName: "Camarim",
      creatorName: "Ana",
      accessUntil: DUE_AT,
      refundCents: 1_000,
    };
    expect(
      deletionConsequenceLines({
        ...none,
        buyersCount: 2,
        refundToBuyersCents: 3_000,
        purchasesCount: 1,
      }),
    ).toEqual([
      "2 pessoas compraram publicações, coleções ou arquivos de mensagens seus: no fim devolvemos R$\u00a030,00.",
      "Você perde o que comprou: 1 compra.",
    ]);
    const lines = deletionConsequenceLines({
      ...none,
      subscriptions: [subscription],
      refundToThemCents: 1_000,
      subscribersCount: 2,
      refundToSubscribersCents: 3_000,
      refundFromBalanceCents: 2_850,
      availableCents: 3_000,
      pendingCents: 50,
    });
    expect(lines.map((line) => line.replaceAll("\u00a0", " "))).toEqual([
      "Até lá as suas assinaturas não renovam. No fim, as que ainda valerem são encerradas, e devolvemos R$ 10,00 dos dias que não usou.",
      "2 pessoas assinam a sua página: nada mais renova, e no fim devolvemos R$ 30,00 dos dias que não usarem.",
      "O seu saldo, R$ 2,00 depois das devoluções, vai antes para a sua chave Pix ou conta, sem valor mínimo.",
    ]);
  });

  test("never show a negative payout", () => {
    expect(lastPayoutCents({ availableCents: 1, pendingCents: 0, refundFromBalanceCents: 2 })).toBe(
      0,
    );
  });
});

test.each([
  ["excluir minha conta", true],
  ["  Excluir  Minha   CONTA ", true],
  ["excluir a minha conta", false],
  ["excluir", false],
  ["", false],
])("the phrase %j: %j", (phrase, isMeant) => {
  expect(deletionSchema.safeParse({ phrase }).success).toBe(isMeant);
});
