import { and, eq, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { AnswerRefused } from "#app/domain/disputes/errors.ts";
import { answerRow, evidenceFiles } from "#app/domain/disputes/queries.server.ts";
import { disputeDetail } from "#app/domain/disputes/queries/dispute-detail.server.ts";
import type { DisputeFile } from "#app/domain/disputes/queries.server.ts";
import type { DisputeDetail } from "#app/domain/disputes/queries/dispute-detail.server.ts";
import { evidenceSubmitProblem, evidenceEditProblem } from "#app/domain/disputes/rules/answers.ts";
import { payerActivityLine, saleEvidenceLines } from "#app/domain/disputes/rules/sale-evidence.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { DisputeMessage } from "#app/domain/disputes/schema/outbox.ts";
import {
  disputeStageStatements,
  disputeRemindedStatement,
  disputeUnderReviewStatement,
} from "#app/domain/payments/disputes/commands/disputes.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { providerOf, canAcceptDispute } from "#app/domain/payments/providers/rules/providers.ts";
import type { EvidenceRequest } from "#app/domain/payments/schema.ts";
import { settleDispute } from "#app/domain/payments/disputes/commands/settle-dispute.server.ts";
import { disputeAnswers } from "#drizzle/schema/disputes.ts";
import { evidenceKey, creatorDispute } from "./evidence.server.ts";
import type { CreatorDisputeRef } from "./evidence.server.ts";

type DisputeActor = CreatorDisputeRef & { memberId: string };

/**
 * Submits the saved answer. It is final. The decision is committed first, then sent to the
 * provider. If the provider does not answer, the payouts worker's cron sends it again under the
 * same key. Of two parallel calls, one succeeds and the other is refused. Throws DisputeNotFound
 * and AnswerRefused.
 */
export async function submitEvidence(ctx: Context, acting: DisputeActor): Promise<void> {
  const { dispute, answer } = await creatorDispute(ctx, acting);
  const problem = evidenceSubmitProblem(
    dispute,
    answer,
    (await evidenceFiles(ctx, acting)).length,
    ctx.now(),
  );
  if (problem) throw new AnswerRefused(problem);
  await decided(ctx, [
    mustChangeOne(
      ctx.db
        .update(disputeAnswers)
        .set({
          status: "submitted",
          submittedAt: ctx.now(),
          writtenBy: acting.memberId,
          updatedAt: ctx.now(),
        })
        .where(
          and(
            eq(disputeAnswers.disputeId, acting.disputeId),
            eq(disputeAnswers.status, "draft"),
            isAnswerable(ctx, acting.disputeId),
          ),
        ),
    ),
  ]);
  await sendNow(ctx, acting);
}

/**
 * Concedes a dispute: the payer gets the money. Throws what `submitEvidence` throws, and
 * AnswerRefused where the provider does not support it.
 */
export async function concedeDispute(ctx: Context, acting: DisputeActor): Promise<void> {
  const { dispute, answer } = await creatorDispute(ctx, acting);
  const problem =
    evidenceEditProblem(dispute, answer, ctx.now()) ??
    (canAcceptDispute(ctx, dispute) ? null : "cannot_accept");
  if (problem) throw new AnswerRefused(problem);
  const accepted = {
    kind: "acceptance" as const,
    status: "submitted" as const,
    writtenBy: acting.memberId,
    submittedAt: ctx.now(),
    updatedAt: ctx.now(),
  };
  await decided(ctx, [
    mustChangeOne(
      ctx.db
        .insert(disputeAnswers)
        .values({ disputeId: acting.disputeId, text: "", ...accepted })
        .onConflictDoUpdate({
          target: disputeAnswers.disputeId,
          set: accepted,
          setWhere: and(eq(disputeAnswers.status, "draft"), isAnswerable(ctx, acting.disputeId)),
        }),
    ),
  ]);
  await sendNow(ctx, acting);
}

const isAnswerable = (ctx: Context, disputeId: string) =>
  sql`EXISTS (SELECT 1 FROM disputes d WHERE d.id = ${disputeId} AND d.status = 'open' AND (d.respond_by IS NULL OR d.respond_by > ${ctx.now()}))`;

async function decided(ctx: Context, writes: BatchWrite[]): Promise<void> {
  try {
    await commit(ctx.db, writes);
  } catch (error) {
    if (error instanceof StaleWrite) throw new AnswerRefused("answered");
    throw error;
  }
}

async function sendNow(
  ctx: Context,
  { disputeId }: Pick<CreatorDisputeRef, "disputeId">,
): Promise<void> {
  try {
    await sendDisputeAnswer(ctx, { disputeId });
  } catch (error) {
    if (!(error instanceof ProviderUnclear)) throw error;
    ctx.log("disputes.answer_unclear", { disputeId });
  }
}

/**
 * Sends a submitted answer to the provider. Safe to repeat. An answer that the provider rejects
 * becomes `refused`, and its seller is notified. If the provider takes no answers by API, the staff
 * sends it. Throws ProviderUnclear.
 */
export async function sendDisputeAnswer(
  ctx: Context,
  { disputeId }: { disputeId: string },
): Promise<void> {
  const detail = await disputeDetail(ctx, { disputeId });
  if (detail?.answer?.status !== "submitted") return;
  if (detail.dispute.status !== "open")
    return await settled(ctx, disputeId, { status: "refused", failureCode: "dispute_decided" });
  try {
    if (detail.answer.kind === "acceptance") await giveUp(ctx, detail);
    else await submit(ctx, detail);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    ctx.log("disputes.answer_refused", { disputeId, code: error.code });
    const { amountCents, creatorId } = detail.dispute;
    await settled(ctx, disputeId, { status: "refused", failureCode: error.code }, [
      announce<DisputeMessage>(ctx, `dispute:${disputeId}:answer_refused`, {
        type: "dispute.answer_refused",
        disputeId,
        creatorId,
        amountCents,
        description: detail.charge.description,
      }),
    ]);
  }
}

async function giveUp(ctx: Context, { dispute }: DisputeDetail): Promise<void> {
  await providerOf(ctx, dispute).acceptDispute(dispute.providerDisputeId);
  await settled(ctx, dispute.id, { status: "sent" });
  await settleDispute(ctx, dispute);
}

async function submit(ctx: Context, detail: DisputeDetail): Promise<void> {
  const { dispute } = detail;
  const provider = providerOf(ctx, dispute);
  if (!provider.can.has("dispute_evidence"))
    return await settled(ctx, dispute.id, { status: "by_hand" });
  const providerDispute = await provider.submitEvidence(evidenceOf(ctx, detail));
  await settled(
    ctx,
    dispute.id,
    { status: "sent" },
    disputeStageStatements(ctx, dispute, providerDispute),
  );
}

function evidenceOf(
  ctx: Context,
  { dispute, answer, charge, payer, evidence, files }: DisputeDetail,
): EvidenceRequest {
  const evidenceText = ["O que a plataforma sabe:", ...saleEvidenceLines(evidence)].join("\n");
  return {
    disputeId: dispute.providerDisputeId,
    answerId: dispute.id,
    text: [answer?.text ?? "", evidenceText].filter(Boolean).join("\n\n"),
    product: charge.description,
    customerName: payer.name,
    customerEmail: payer.email,
    boughtAt: evidence.paidAt,
    accessLog: evidence.activity ? payerActivityLine(evidence.activity) : "",
    files: files.map((file) => ({
      id: file.id,
      kind: file.kind,
      name: file.name,
      contentType: file.contentType,
      bytes: () => bytesOf(ctx, file),
    })),
  };
}

async function bytesOf(ctx: Context, file: DisputeFile): Promise<ArrayBuffer> {
  const object = await ctx.mediaStore.get(evidenceKey(file));
  if (!object) throw new Error("a file of evidence has no bytes");
  return await new Response(object.body).arrayBuffer();
}

type SendOutcome = { status: "sent" | "by_hand" | "refused"; failureCode?: string };

/** Does nothing when another call settled it first. */
async function settled(
  ctx: Context,
  disputeId: string,
  { status, failureCode = undefined }: SendOutcome,
  extraWrites: BatchWrite[] = [],
): Promise<void> {
  await retryOnConflict(async () => {
    if ((await answerRow(ctx, { disputeId }))?.status !== "submitted") return;
    const settledAt = status === "by_hand" ? null : ctx.now();
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(disputeAnswers)
          .set({ status, failureCode: failureCode ?? null, settledAt })
          .where(
            and(eq(disputeAnswers.disputeId, disputeId), eq(disputeAnswers.status, "submitted")),
          ),
      ),
      ...extraWrites,
    ]);
  });
}

/**
 * Records that the staff sent an answer on the provider's own pages. Throws AnswerRefused when the
 * answer does not wait for the staff.
 */
export async function markAnswerSentManually(
  ctx: Context,
  { disputeId, moderatorId }: { disputeId: string; moderatorId: string },
): Promise<void> {
  await decided(ctx, [
    mustChangeOne(
      ctx.db
        .update(disputeAnswers)
        .set({ status: "sent", settledAt: ctx.now() })
        .where(and(eq(disputeAnswers.disputeId, disputeId), eq(disputeAnswers.status, "by_hand"))),
    ),
    disputeUnderReviewStatement(ctx, { disputeId }),
  ]);
  ctx.log("disputes.sent_by_hand", { disputeId, moderatorId });
}

/** Reminds a seller, once, that the deadline of a dispute is near. */
export async function remindOfDispute(
  ctx: Context,
  { disputeId }: { disputeId: string },
): Promise<void> {
  const detail = await disputeDetail(ctx, { disputeId });
  if (!detail || detail.dispute.remindedAt !== null || detail.dispute.respondBy === null) return;
  const { creatorId, amountCents, respondBy } = detail.dispute;
  await commit(ctx.db, [
    disputeRemindedStatement(ctx, { disputeId }),
    announce<DisputeMessage>(ctx, `dispute:${disputeId}:due`, {
      type: "dispute.due",
      disputeId,
      creatorId,
      amountCents,
      description: detail.charge.description,
      respondBy,
    }),
  ]);
}
