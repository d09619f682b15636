import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import {
  concedeDispute,
  submitEvidence,
  markAnswerSentManually,
  sendDisputeAnswer,
} from "#app/domain/disputes/commands/answer.server.ts";
import { saveEvidence } from "#app/domain/disputes/commands/evidence.server.ts";
import {
  AnswerRefused,
  DisputeNotFound,
  EvidenceTextMissing,
  TooManyEvidenceFiles,
} from "#app/domain/disputes/errors.ts";
import {
  answerRow,
  manualAnswers,
  disputeRow,
  creatorDisputes,
} from "#app/domain/disputes/queries.server.ts";
import { disputeDetail } from "#app/domain/disputes/queries/dispute-detail.server.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Capability } from "#app/domain/payments/schema.ts";
import { changeSchedule } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { disputeFiles } from "#drizzle/schema/disputes.ts";
import { floodCounts } from "#drizzle/schema/rate-limits.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { postLikes, posts } from "#drizzle/schema/posts.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import {
  disputeAtProvider,
  decideDisputeAtProvider,
  openDisputeOn,
  deliverOutbox,
} from "#tests/support/disputes.ts";
import { pdf } from "#tests/support/media-files.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { soldPost } from "#tests/support/purchases.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let charge: Charge;
let disputeId: string;
let providerDisputeId: string;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  // Manual payouts. A weekly payout would wait for balance while the clock moves.
  await changeSchedule(world.ctx, { creatorId: ana.id, schedule: "manual" });
  bruno = await createPerson(world.ctx, "Bruno");
  charge = await paidSubscription(world, bruno, ana);
  ({ disputeId, providerDisputeId } = await openDisputeOn(world, charge));
});
afterEach(() => expectInvariantsToHold(world.ctx));

const memberIds = () => ({ disputeId, creatorId: ana.id, memberId: ana.id });
const keep = (
  text: string,
  file: Parameters<typeof saveEvidence>[1]["file"] = null,
  ctx: Context = world.ctx,
) => saveEvidence(ctx, { ...memberIds(), text, file });
const answer = () => answerRow(world.ctx, { disputeId });
const files = () =>
  world.ctx.db.select().from(disputeFiles).where(eq(disputeFiles.disputeId, disputeId));
const notified = async (kind: string) => {
  await deliverOutbox(world.ctx);
  return (
    await world.ctx.db.select().from(notifications).where(eq(notifications.personId, ana.id))
  ).filter((one) => one.kind === kind);
};
const receipt = () => ({ kind: "receipt" as const, name: "recibo.pdf", bytes: pdf() });

describe("an answer to a dispute", () => {
  test("is saved, submitted once, and reaches the provider with our evidence and its files", async () => {
    const { postId } = await soldPost(world.ctx, ana);
    await world.advance(HOUR_MS);
    await world.ctx.db
      .insert(postLikes)
      .values({ postId, personId: bruno.id, createdAt: (charge.succeededAt ?? 0) + 1 });
    await keep("Bruno assinou e leu.");
    await keep("Bruno assinou, leu e curtiu.", receipt());
    expect(await answer()).toMatchObject({ status: "draft", text: "Bruno assinou, leu e curtiu." });
    await submitEvidence(world.ctx, memberIds());
    expect(await answer()).toMatchObject({ status: "sent", kind: "evidence", writtenBy: ana.id });
    expect((await disputeRow(world.ctx, { disputeId }))?.underReviewAt).not.toBeNull();
    const there = await disputeAtProvider(world, providerDisputeId);
    expect(there).toMatchObject({
      status: "under_review",
      evidence: {
        text: expect.stringMatching(/^Bruno assinou, leu e curtiu\.\n\nO que a plataforma sabe:/),
        customer_name: "Bruno",
        customer_email: bruno.email,
        access_log: expect.stringContaining("em 1 publicação"),
        files: [{ kind: "receipt" }],
      },
    });
    await world.drain();
    await decideDisputeAtProvider(world, providerDisputeId, "win");
    expect((await chargeRow(world.ctx, { chargeId: charge.id }))?.status).toBe("dispute_won");
    expect(await notified("dispute.decided")).toMatchObject([
      { body: expect.stringContaining("a seu favor") },
    ]);
  });

  test("is not submitted when empty, and never changes after it", async () => {
    await expect(submitEvidence(world.ctx, memberIds())).rejects.toEqual(
      new AnswerRefused("empty"),
    );
    await expect(keep("")).rejects.toEqual(new EvidenceTextMissing());
    expect(await answer()).toBeNull();
    await expect(submitEvidence(world.ctx, memberIds())).rejects.toEqual(
      new AnswerRefused("empty"),
    );
    await keep("A pessoa assinou.");
    await submitEvidence(world.ctx, memberIds());
    await expect(keep("Outra coisa.")).rejects.toEqual(new AnswerRefused("answered"));
    await expect(submitEvidence(world.ctx, memberIds())).rejects.toEqual(
      new AnswerRefused("answered"),
    );
    await expect(concedeDispute(world.ctx, memberIds())).rejects.toEqual(
      new AnswerRefused("answered"),
    );
    expect((await answer())?.text).toBe("A pessoa assinou.");
  });

  test("submitted by two people at once is sent once, and the other gets an error", async () => {
    await keep("A pessoa assinou.");
    const outcomes = await Promise.allSettled([
      submitEvidence(world.ctx, memberIds()),
      submitEvidence(world.ctx, memberIds()),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
      reason: new AnswerRefused("answered"),
    });
    expect(await answer()).toMatchObject({ status: "sent" });
  });

  test("and a concession at the same moment: only one succeeds", async () => {
    await keep("A pessoa assinou.");
    const racing = interleaveBeforeWrite(world.ctx, () => submitEvidence(world.ctx, memberIds()));
    await expect(concedeDispute(racing, memberIds())).rejects.toEqual(
      new AnswerRefused("answered"),
    );
    expect(await disputeAtProvider(world, providerDisputeId)).toMatchObject({
      status: "under_review",
    });
  });

  test("does not include a file that arrives while it is submitted", async () => {
    await keep("A pessoa assinou.");
    const racing = interleaveBeforeWrite(
      world.ctx,
      () => submitEvidence(world.ctx, memberIds()),
      /^update "dispute_files"/,
    );
    await expect(keep("A pessoa assinou.", receipt(), racing)).rejects.toEqual(
      new AnswerRefused("answered"),
    );
    expect(await disputeAtProvider(world, providerDisputeId)).toMatchObject({
      evidence: { files: [] },
    });
    expect((await disputeDetail(world.ctx, { disputeId }))?.files).toEqual([]);
  });

  test("is refused after its deadline and after the decision", async () => {
    await keep("A pessoa assinou.");
    await world.advance(7 * DAY_MS + 1);
    await expect(submitEvidence(world.ctx, memberIds())).rejects.toEqual(
      new AnswerRefused("too_late"),
    );
    await expect(keep("Mais.")).rejects.toEqual(new AnswerRefused("too_late"));
    await decideDisputeAtProvider(world, providerDisputeId, "lose");
    await expect(submitEvidence(world.ctx, memberIds())).rejects.toEqual(
      new AnswerRefused("decided"),
    );
    await expect(concedeDispute(world.ctx, memberIds())).rejects.toEqual(
      new AnswerRefused("decided"),
    );
  });

  test("is not submitted when the dispute is decided meanwhile", async () => {
    await keep("A pessoa assinou.");
    const racing = interleaveBeforeWrite(world.ctx, () =>
      decideDisputeAtProvider(world, providerDisputeId, "lose"),
    );
    await expect(submitEvidence(racing, memberIds())).rejects.toBeInstanceOf(AnswerRefused);
    expect(await answer()).toMatchObject({ status: "draft" });
  });

  test("that the provider refuses shows the seller an error", async () => {
    await keep("A pessoa assinou.");
    const ctx = {
      ...world.ctx,
      payments: {
        ...world.ctx.payments,
        submitEvidence: () => Promise.reject(new ProviderUnclear("503")),
      },
    };
    await submitEvidence(ctx, memberIds());
    expect(await answer()).toMatchObject({ status: "submitted" });
    await world.advance(7 * DAY_MS + 1);
    await world.tick();
    expect(await answer()).toMatchObject({ status: "refused", failureCode: "dispute_too_late" });
    expect(await notified("dispute.answer_refused")).toHaveLength(1);
  });

  test("without confirmation is sent again by the cron, and arrives once", async () => {
    await keep("A pessoa assinou.", receipt());
    const lost = {
      ...world.ctx,
      payments: {
        ...world.ctx.payments,
        submitEvidence: async (request: Parameters<typeof world.ctx.payments.submitEvidence>[0]) =>
          Promise.reject(
            new ProviderUnclear(`lost ${(await world.ctx.payments.submitEvidence(request)).id}`),
          ),
      },
    };
    await submitEvidence(lost, memberIds());
    expect(await answer()).toMatchObject({ status: "submitted" });
    await world.tick();
    expect(await answer()).toMatchObject({ status: "sent" });
    await Promise.all([
      sendDisputeAnswer(world.ctx, { disputeId }),
      sendDisputeAnswer(world.ctx, { disputeId }),
    ]);
    expect(await disputeAtProvider(world, providerDisputeId)).toMatchObject({
      status: "under_review",
    });
  });

  test("to a provider without an evidence API waits for staff, who record when it was sent", async () => {
    await keep("A pessoa assinou.");
    const can = new Set<Capability>(
      [...world.ctx.payments.can].filter(
        (one) => one !== "dispute_evidence" && one !== "dispute_acceptance",
      ),
    );
    const ctx = { ...world.ctx, payments: { ...world.ctx.payments, can } };
    await expect(concedeDispute(ctx, memberIds())).rejects.toEqual(
      new AnswerRefused("cannot_accept"),
    );
    await submitEvidence(ctx, memberIds());
    expect((await manualAnswers(world.ctx, { limit: 100 })).map(({ id }) => id)).toContain(
      disputeId,
    );
    await markAnswerSentManually(world.ctx, { disputeId, moderatorId: bruno.id });
    await expect(
      markAnswerSentManually(world.ctx, { disputeId, moderatorId: bruno.id }),
    ).rejects.toBeInstanceOf(AnswerRefused);
    expect(await answer()).toMatchObject({ status: "sent" });
    expect((await disputeRow(world.ctx, { disputeId }))?.underReviewAt).not.toBeNull();
  });
});

describe("conceding a dispute", () => {
  test("refunds the payer, ends the access that was paid for, and happens once", async () => {
    const outcomes = await Promise.allSettled([
      concedeDispute(world.ctx, memberIds()),
      concedeDispute(world.ctx, memberIds()),
    ]);
    expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBeGreaterThanOrEqual(
      1,
    );
    await world.drain();
    expect((await chargeRow(world.ctx, { chargeId: charge.id }))?.status).toBe("dispute_lost");
    expect(await creatorBalances(world.ctx, { creatorId: ana.id })).toMatchObject({
      reservedCents: 0,
      availableCents: 0,
      pendingCents: 0,
    });
    expect(
      (
        await world.ctx.db
          .select()
          .from(subscriptions)
          .where(eq(subscriptions.id, charge.purchaseId))
      )[0]?.status,
    ).toBe("expired");
    expect(await answer()).toMatchObject({ kind: "acceptance", status: "sent" });
    expect(await notified("dispute.decided")).toHaveLength(1);
  });
});

describe("limits and permissions", () => {
  test("evidence files are limited to sixty an hour for the whole team; text is still saved", async () => {
    await keep("Uma.", receipt());
    await world.ctx.db
      .update(floodCounts)
      .set({ count: 60 })
      .where(eq(floodCounts.key, `dispute-file:${ana.id}:${HOUR_MS}`));
    const [first] = await files();
    await expect(keep("Duas.", receipt())).rejects.toMatchObject({
      constructor: TooManyEvidenceFiles,
      field: "file",
    });
    expect([await files(), (await answer())?.text]).toEqual([[first], "Uma."]);
    await keep("Duas.");
    expect((await answer())?.text).toBe("Duas.");
    await world.advance(HOUR_MS);
    await keep("Duas.", receipt());
  });

  test("only the seller can answer a dispute", async () => {
    const other = await createSeller(world.ctx);
    await expect(
      saveEvidence(world.ctx, { ...memberIds(), creatorId: other.id, text: "x", file: null }),
    ).rejects.toBeInstanceOf(DisputeNotFound);
    await expect(
      submitEvidence(world.ctx, { ...memberIds(), creatorId: bruno.id }),
    ).rejects.toBeInstanceOf(DisputeNotFound);
    expect(
      (await creatorDisputes(world.ctx, { creatorId: other.id, cursor: null, limit: 10 })).items,
    ).toEqual([]);
    expect(
      (await creatorDisputes(world.ctx, { creatorId: ana.id, cursor: null, limit: 10 })).items,
    ).toMatchObject([
      { id: disputeId, amountCents: 1_990, feeShareCents: 100, status: "open", payerName: "Bruno" },
    ]);
  });

  test("the evidence excludes the payer's activity with others and before or after the charge", async () => {
    const other = await createSeller(world.ctx);
    const { postId } = await soldPost(world.ctx, other);
    const otherSale = await soldPost(world.ctx, ana, { title: "Outra" });
    await world.ctx.db.insert(postLikes).values([
      { postId, personId: bruno.id, createdAt: charge.succeededAt ?? 0 },
      { postId: otherSale.postId, personId: bruno.id, createdAt: (charge.succeededAt ?? 0) - 1 },
    ]);
    expect(await world.ctx.db.$count(posts, eq(posts.authorId, ana.id))).toBe(1);
    expect((await disputeDetail(world.ctx, { disputeId }))?.evidence.activity).toBeNull();
  });
});

test("the seller is notified at the opening and once two days before the deadline, unless they answered", async () => {
  expect(await notified("charge.disputed")).toMatchObject([
    {
      path: `/settings/transactions/disputes/${disputeId}`,
      body: expect.stringContaining("Você pode responder até"),
    },
  ]);
  await world.advance(5 * DAY_MS - HOUR_MS);
  await world.tick();
  expect(await notified("dispute.due")).toEqual([]);
  await world.advance(2 * HOUR_MS);
  await world.tick();
  await world.tick();
  expect(await notified("dispute.due")).toHaveLength(1);

  const answered = await paidSubscription(world, await createPerson(world.ctx, "Clara"), ana);
  ({ disputeId, providerDisputeId } = await openDisputeOn(world, answered));
  await keep("A pessoa assinou.");
  await submitEvidence(world.ctx, memberIds());
  await world.advance(6 * DAY_MS);
  await world.tick();
  expect(await notified("dispute.due")).toHaveLength(1);
});

test("a disputed charge cannot be refunded by its seller", async () => {
  const refundId = world.ctx.newId();
  await expect(
    refundCharge(world.ctx, {
      sellerId: ana.id,
      decidedBy: ana.id,
      chargeId: charge.id,
      refundId,
      amountCents: 100,
      reason: "",
    }),
  ).rejects.toMatchObject({ message: expect.stringContaining("contestação") });
  await decideDisputeAtProvider(world, providerDisputeId, "win");
  await refundCharge(world.ctx, {
    sellerId: ana.id,
    decidedBy: ana.id,
    chargeId: charge.id,
    refundId,
    amountCents: 100,
    reason: "",
  });
  expect((await chargeRow(world.ctx, { chargeId: charge.id }))?.refundedCents).toBe(100);
});

test("a dispute that closes before we know of it accepts no answer", async () => {
  const heard = await paidSubscription(world, await createPerson(world.ctx, "Dora"), ana);
  const opened = await world.console(
    `/sandbox/charges/${heard.providerChargeId}/dispute?webhook=off`,
  );
  await decideDisputeAtProvider(world, String(opened.body["id"]), "lose");
  const row = (
    await creatorDisputes(world.ctx, { creatorId: ana.id, cursor: null, limit: 10 })
  ).items.find(({ id }) => id !== disputeId);
  expect(row).toMatchObject({ status: "lost" });
  await expect(
    saveEvidence(world.ctx, { ...memberIds(), disputeId: row?.id ?? "", text: "x", file: null }),
  ).rejects.toEqual(new AnswerRefused("decided"));
});
