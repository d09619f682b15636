import { and, eq, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";
import type { HeldReason } from "#app/domain/payouts/schema.ts";
import { hasFailed, nextTurnAt } from "#app/domain/setbacks/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { outbox } from "#drizzle/schema/outbox.ts";

/**
 * What the outbox may carry. Each message holds what it needs to be shown: its reader looks nothing
 * up.
 */
export type OutboxMessage =
  | {
      type: "subscription.started";
      subscriptionId: string;
      chargeId: string;
      fanId: string;
      creatorId: string;
      fanName: string;
      creatorName: string;
      creatorUsername: string;
      planName: string;
      amountCents: number;
      welcomeMessage: string;
      /** It is paid, and begins then, as what was given ends; left out for what begins at once. */
      beginsAt?: number;
    }
  | {
      type: "purchase.bought";
      purchaseId: string;
      chargeId: string;
      kind: "post" | "collection";
      targetId: string;
      title: string;
      buyerId: string;
      buyerName: string;
      creatorId: string;
      creatorName: string;
      creatorUsername: string;
      amountCents: number;
    }
  | {
      type: "tip.given";
      tipId: string;
      chargeId: string;
      payerId: string;
      payerName: string;
      creatorId: string;
      creatorName: string;
      creatorUsername: string;
      amountCents: number;
      message: string;
    }
  | {
      type: "trial.started";
      subscriptionId: string;
      fanId: string;
      fanName: string;
      creatorId: string;
      creatorName: string;
      planName: string;
      welcomeMessage: string;
      days: number;
      endsAt: number;
      amountCents: number;
      /** "por mês". */
      intervalWords: string;
      isByCard: boolean;
      isByPix: boolean;
      appOrigin: string;
    }
  | {
      type: "trial.charged";
      subscriptionId: string;
      fanId: string;
      fanName: string;
      creatorId: string;
      creatorName: string;
      planName: string;
      amountCents: number;
      appOrigin: string;
    }
  | {
      type: "trial.to_confirm";
      setupId: string;
      personId: string;
      creatorName: string;
      planName: string;
      /** When it runs out. */ confirmUntil: number;
      appOrigin: string;
    }
  | {
      type: "subscription.full_price";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      code: string;
      amountCents: number;
      beginsAt: number;
    }
  | {
      type: "subscription.ended";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      creatorUsername: string;
      planName: string;
      /** It was given, and ran out. */ isGift?: boolean;
      /** What its person paid begins after it. */ isFollowed?: boolean;
    }
  | {
      type: "subscription.begun";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      creatorUsername: string;
      planName: string;
      nextChargeAt: number;
      welcomeMessage?: string;
    }
  /** What is paid and did not begin does on another day than was agreed. */
  | {
      type: "subscription.beginning_moved";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      beginsAt: number;
    }
  /** What was paid never will begin: who pays and who sells do not see each other any more. */
  | {
      type: "subscription.called_off";
      subscriptionId: string;
      fanId: string;
      fanName: string;
      creatorId: string;
      creatorName: string;
      planName: string;
      refundCents: number;
      beginsAt: number;
    }
  | {
      type: "subscription.canceled";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      protocol: string;
      accessUntil: number | null;
      undoUrl: string;
    }
  | {
      type: "subscription.paused";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      resumesAt: number;
      nextChargeAt: number;
      undoUrl: string;
    }
  | {
      type: "vacation.began";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      /** The return that is announced. */ until: number;
      days: number;
      accessUntil: number;
      /** Null for what does not renew. */ nextChargeAt: number | null;
    }
  | {
      type: "vacation.cut_short";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      /** What is left of the days that its period was extended by. */ days: number;
      accessUntil: number;
      nextChargeAt: number | null;
    }
  | {
      type: "subscription.resumed";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      nextChargeAt: number;
    }
  | {
      type: "subscription.plan_changed";
      subscriptionId: string;
      /** The payment of its difference, or of its first period; null when that was told before. */
      chargeId: string | null;
      fanId: string;
      creatorId: string;
      fanName: string;
      creatorName: string;
      fromPlanName: string;
      toPlanName: string;
      /** "R$ 40,00 por mês". */
      toPrice: string;
      /** The difference that was paid; 0 for none. */
      paidCents: number;
      /** Its difference went back, and it is again what it was. */
      isBack: boolean;
    }
  | {
      type: "subscription.plan_change_scheduled";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      fromPlanName: string;
      toPlanName: string;
      toPrice: string;
      nextCents: number;
      beginsAt: number;
      undoUrl: string;
    }
  | {
      type: "subscription.plan_change_dropped";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      toPlanName: string;
      isFull: boolean;
      price: string;
    }
  | {
      type: "subscription.price_asked";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      /** "R$ 20,00 por mês". */
      fromPrice: string;
      toPrice: string;
      takesEffectAt: number;
      needsAuthorisation: boolean;
      movesToPix: boolean;
      isReminder: boolean;
      /** Answers without signing in, until `linkUntil`. */
      url: string;
      linkUntil: number;
    }
  | {
      type: "subscription.price_lowered";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      fromPrice: string;
      toPrice: string;
      /** The next period. */ beginsAt: number | null;
    }
  | {
      type: "subscription.price_answered";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      isAccepted: boolean;
      fromPrice: string;
      toPrice: string;
      takesEffectAt: number;
      needsAuthorisation: boolean;
      appOrigin: string;
    }
  | {
      type: "subscription.renewal_due";
      subscriptionId: string;
      chargeId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      amountCents: number;
      dueAt: number;
      payUntil: number;
      pixCode: string;
      /** The first code after free days. */ isTrial?: boolean;
      appOrigin: string;
      /** Null for what cannot be paused. */ pauseUrl: string | null;
      cancelUrl: string;
    }
  | {
      type: "subscription.renewal_to_confirm";
      subscriptionId: string;
      chargeId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      amountCents: number;
      accessUntil: number;
      appOrigin: string;
    }
  | {
      type: "subscription.renewal_failed";
      subscriptionId: string;
      chargeId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      amountCents: number;
      accessUntil: number;
      appOrigin: string;
      failureCode: string | null;
      isForGood: boolean;
      retryAt: number | null;
    }
  | {
      type: "subscription.reminded";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      amountCents: number;
      method: PaymentMethod;
      isAutomatic: boolean;
      /** Free days that end; `isCharged` by what was agreed to. */ isTrial: boolean;
      isCharged: boolean;
      renewsAt: number;
      linksUntil: number;
      pauseUrl: string;
      cancelUrl: string;
      /** The Pix code that was sent for it and still waits. */ code?: {
        pixCode: string;
        payUntil: number;
        payUrl: string;
      };
    }
  | {
      type: "subscription.tax_id_missing";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      amountCents: number;
      renewsAt: number;
      isTrial: boolean;
      isAutomatic?: boolean;
      appOrigin: string;
    }
  | {
      type: "subscription.past_due";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      amountCents: number;
      isAutomatic?: boolean;
      accessUntil: number;
      appOrigin: string;
    }
  | {
      type: "subscription.reactivated";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      nextChargeAt: number;
      amountCents: number;
      method: PaymentMethod;
      isAutomatic?: boolean;
      isMethodMoved: boolean;
    }
  | {
      type: "subscription.debit_refused";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      amountCents: number;
      appOrigin: string;
    }
  | {
      type: "subscription.automatic";
      what: "authorised" | "refused" | "ended";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      amountCents: number;
      ceilingCents: number;
      nextDebitOn: string;
      method: PaymentMethod;
      appOrigin: string;
    }
  | {
      type: "subscription.closed";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      refundCents: number;
    }
  | {
      type: "gift.bought";
      giftId: string;
      chargeId: string;
      giverId: string;
      giverName: string;
      creatorId: string;
      creatorName: string;
      planName: string;
      amountCents: number;
      recipientName: string;
      /** Whether the recipient is written to, now or on `deliverAt`. */
      isMailed: boolean;
      deliverAt: number | null;
      claimUntil: number;
      link: string;
      path: string;
    }
  | {
      type: "gift.delivered";
      giftId: string;
      email: string;
      giverName: string;
      recipientName: string;
      message: string;
      creatorName: string;
      planName: string;
      claimUntil: number;
      link: string;
    }
  | {
      type: "gift.claimed";
      giftId: string;
      giverId: string;
      claimerId: string;
      claimerName: string;
      creatorId: string;
      creatorName: string;
      planName: string;
      accessUntil: number;
      path: string;
    }
  | {
      type: "gift.taken_back";
      giftId: string;
      claimerId: string;
      creatorName: string;
      creatorUsername: string;
      planName: string;
      /** They paid for what begins after it. */ isFollowed?: boolean;
    }
  | {
      type: "comp.given";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      planName: string;
      endsAt: number;
    }
  | {
      type: "comp.ended";
      subscriptionId: string;
      fanId: string;
      creatorName: string;
      creatorUsername: string;
      planName: string;
    }
  | {
      type: "deletion.requested" | "deletion.reminded";
      deletionId: string;
      personId: string;
      dueAt: number;
      lines: string[];
      keepUrl: string;
    }
  | {
      type: "ledger.broken";
      moderatorIds: string[];
      /** Of the rules that broke. */ titles: string[];
      /** Of those that were broken, by what they were not yet. */ moreTitles?: string[];
      holdsPayouts: boolean;
      /** Where all of them are mended. */ path?: string | undefined;
    }
  | { type: "person.banned"; personId: string; reason: string }
  | { type: "person.unbanned"; personId: string }
  | { type: "deletion.canceled"; deletionId: string; personId: string }
  | {
      type: "subscription.renewed";
      subscriptionId: string;
      chargeId: string;
      fanId: string;
      creatorId: string;
      creatorName: string;
      planName: string;
      amountCents: number;
    }
  | {
      type: "charge.to_confirm";
      chargeId: string;
      payerId: string;
      amountCents: number;
      description: string;
      /** When it runs out. */ confirmUntil: number;
      appOrigin: string;
    }
  | {
      type: "charge.refunded";
      chargeId: string;
      refundId: string;
      payerId: string;
      amountCents: number;
      description: string;
      reason: string;
    }
  | {
      type: "charge.refund_refused";
      chargeId: string;
      refundId: string;
      payerId: string;
      amountCents: number;
      description: string;
    }
  | {
      type: "refund.key_asked";
      chargeId: string;
      refundId: string;
      payerId: string;
      amountCents: number;
      description: string;
      /** Where who paid says their Pix key, signed in or not. */ url: string;
      /** A Pix to the key that they gave did not arrive. */ isAgain: boolean;
      isReminder: boolean;
    }
  | {
      type: "refund.transferred";
      chargeId: string;
      refundId: string;
      payerId: string;
      amountCents: number;
      description: string;
    }
  | {
      type: "charge.disputed";
      chargeId: string;
      disputeId: string;
      creatorId: string;
      amountCents: number;
      /** What was paid, of which it may be a part. */ paidCents?: number;
      description: string;
      disputeKind: "card" | "med";
      respondBy: number | null;
    }
  | {
      type: "dispute.due";
      disputeId: string;
      creatorId: string;
      amountCents: number;
      description: string;
      respondBy: number;
    }
  | {
      type: "dispute.decided";
      disputeId: string;
      creatorId: string;
      decision: "won" | "lost";
      amountCents: number;
      netCents: number;
      description: string;
    }
  | {
      type: "dispute.answer_refused";
      disputeId: string;
      creatorId: string;
      amountCents: number;
      description: string;
    }
  | { type: "payout.paid"; payoutId: string; creatorId: string; amountCents: number }
  | { type: "payout.failed"; payoutId: string; creatorId: string; amountCents: number }
  | { type: "payout.returned"; payoutId: string; creatorId: string; amountCents: number }
  | {
      type: "debt.paid";
      chargeId: string;
      creatorId: string;
      amountCents: number;
      /** Still owed after it. */ leftCents: number;
    }
  | { type: "fee.changed"; creatorId: string; basisPoints: number; startsAt: number }
  | {
      type: "payout.held";
      payoutId: string;
      creatorId: string;
      reason: Exclude<HeldReason, "moderation">;
      until: number | null;
    }
  /** All payouts of somebody, those to come too; `reason` is a moderator's own words. */
  | { type: "payouts.held"; creatorId: string; reason: string }
  | { type: "payouts.released"; creatorId: string }
  | { type: "payout.canceled"; payoutId: string; creatorId: string; reason: string }
  /** It is over before anything left; `reason` is whole sentences, which say where the money is. */
  | { type: "payout.ended"; payoutId: string; creatorId: string; reason: string }
  | {
      type: "fiscal.no_issuer";
      moderatorIds: string[];
      /** `YYYY-MM`: the first that waits. */ month: string;
      /** The variables. */ missing: readonly string[];
    }
  | {
      type: "fiscal.late";
      moderatorIds: string[];
      /** `YYYY-MM`. */ month: string;
      why: "not_written" | "not_taken";
      /** ISO date. */ dueOn: string;
    }
  | {
      type: "platform.withdrawal_asked";
      moderatorIds: string[];
      provider: string;
      amountCents: number;
    }
  | {
      type: "reconciliation.explanation_asked";
      differenceId: string;
      moderatorIds: string[];
      gapCents: number;
    }
  | { type: "payout.approval_asked"; payoutId: string; moderatorIds: string[]; amountCents: number }
  | {
      type: "withdrawal.changed";
      creatorId: string;
      pixKeyMasked: string;
      isAccount?: boolean;
      holdUntil: number;
    }
  | {
      type: "documents.decided";
      personId: string;
      decision: "approved" | "rejected";
      reason: string;
      decidedAt: number;
      /**
       * What became of an approval that there was: it stands until this ISO date, or it was taken
       * back.
       */ approval?: { until: string } | "taken_back";
    }
  | {
      type: "documents.deadline";
      personId: string;
      deadlineAt: number;
      /** Files are missing, so that nobody can look at them yet. */ isMissing: boolean;
    }
  | { type: "documents.ending"; personId: string; /** ISO date. */ expiresOn: string }
  | {
      type: "documents.ended";
      personId: string;
      deadlineAt: number;
      /** A new paper came whole, and waits for us. */ isSent?: boolean;
    }
  /** Of whose number somebody contests: it comes, and it ends without them losing it. */
  | {
      type: "documents.contest_comes" | "documents.contest_over";
      personId: string;
      taxKind: "cpf" | "cnpj";
    }
  | {
      type: "documents.contest_late";
      moderatorIds: string[];
      /** Who contests a number. */ personId: string;
      answerBy: number;
    }
  | {
      type: "team.invited";
      invitationId: string;
      email: string;
      personId: string | null;
      teamName: string;
      ownerName: string;
      inviterName: string;
      roleWord: string;
      link: string;
      expiresAt: number;
    }
  | { type: "team.joined"; ownerId: string; slug: string; teamName: string; memberName: string }
  | { type: "team.requested"; ownerId: string; slug: string; teamName: string; memberName: string }
  | {
      type: "team.request_decided";
      personId: string;
      isApproved: boolean;
      slug: string;
      teamName: string;
    }
  | { type: "team.removed"; memberId: string; slug: string; teamName: string }
  | {
      type: "team.billing_granted";
      ownerId: string;
      memberId: string;
      memberName: string;
      slug: string;
      teamName: string;
    }
  | { type: "payout.requested"; payoutId: string; creatorId: string; memberName: string }
  | {
      type: "post.published" | "post.opened";
      postId: string;
      postTitle: string;
      authorId: string;
      authorName: string;
    }
  | {
      type: "post.commented";
      commentId: string;
      postId: string;
      postTitle: string;
      authorId: string;
      commenterName: string;
    }
  | {
      type: "comment.replied" | "comment.mentioned";
      commentId: string;
      postId: string;
      postTitle: string;
      personId: string;
      commenterName: string;
    };

/**
 * The statement that records `message` in the batch of the command that made it happen. Delivery is
 * later and may repeat: `key` (such as `charge:<id>:refunded`) makes the announcement once.
 */
export function announce(ctx: Context, key: string, message: OutboxMessage) {
  return ctx.db
    .insert(outbox)
    .values({ id: key, type: message.type, payload: message, createdAt: ctx.realNow() })
    .onConflictDoNothing();
}

/** The statement that stamps a message as told; it matches nothing when it already was. */
export function deliveredStatement(ctx: Context, { outboxId }: { outboxId: string }) {
  return ctx.db
    .update(outbox)
    .set({ handledAt: ctx.realNow() })
    .where(and(eq(outbox.id, outboxId), isNull(outbox.handledAt)));
}

/**
 * Told messages that speak of a person, by id, e-mail, comment, place in a team, gift or a
 * subscription to their page, as a condition on `outbox`.
 */
export function speaksOf({ personId, email }: { personId: string; email: string }): SQL {
  const { payload } = outbox;
  const comment = sql`json_extract(${payload}, '$.commentId') IN (SELECT c.id FROM comments c WHERE c.author_id = ${personId})`;
  const teammate = sql`json_extract(${payload}, '$.memberName') = (SELECT p.name FROM profiles p WHERE p.person_id = ${personId})
    AND json_extract(${payload}, '$.slug') IN (SELECT o.slug FROM organization_members m JOIN organizations o ON o.id = m.organization_id WHERE m.person_id = ${personId})`;
  const subscribed = sql`json_extract(${payload}, '$.subscriptionId') IN (SELECT s.id FROM subscriptions s WHERE s.creator_id = ${personId})`;
  const gift = sql`json_extract(${payload}, '$.giftId') IN (SELECT g.id FROM gifts g WHERE g.giver_id = ${personId} OR g.claimed_by = ${personId})`;
  return sql`(${outbox.handledAt} IS NOT NULL AND (INSTR(${payload}, ${personId}) > 0 OR INSTR(${payload}, ${email}) > 0 OR ${comment} OR ${subscribed} OR ${gift} OR (${teammate})))`;
}

/**
 * The statement that forgets what was announced under keys that begin with `prefix`, told or not;
 * an untold one is not told any more.
 */
export function forgottenKeysStatement(ctx: Context, prefix: string) {
  return ctx.db
    .update(outbox)
    .set({ payload: {}, handledAt: sql`COALESCE(${outbox.handledAt}, ${ctx.realNow()})` })
    .where(sql`${outbox.id} >= ${prefix} AND ${outbox.id} < ${`${prefix}\uffff`}`);
}

/** The statement that forgets what told messages said of a person; that they were told stays known. */
export function forgottenStatement(ctx: Context, person: { personId: string; email: string }) {
  return ctx.db.update(outbox).set({ payload: {} }).where(speaksOf(person));
}

/**
 * The statement that notes how far a message for many came: from the person `from` (null at the
 * start) to `to`, null once everyone was told. It matches nothing when another delivery came
 * further.
 */
export function progressStatement(
  ctx: Context,
  { outboxId, from, to }: { outboxId: string; from: string | null; to: string | null },
) {
  return ctx.db
    .update(outbox)
    .set(to === null ? { handledAt: ctx.realNow() } : { progress: to })
    .where(
      and(eq(outbox.id, outboxId), isNull(outbox.handledAt), sql`${outbox.progress} IS ${from}`),
    );
}

/**
 * What waits to be told, by the words of the index `outbox_waiting`: whoever reads it puts them in
 * that order.
 */
export const waitingSince = (alias: string): SQL =>
  sql.raw(
    `CASE WHEN ${alias}.enqueued_until > ${alias}.created_at THEN ${alias}.enqueued_until ELSE ${alias}.created_at END`,
  );
export const isWaiting = (alias: string): SQL =>
  sql.raw(`${alias}.handled_at IS NULL AND ${alias}.quarantined_at IS NULL`);

/**
 * The statement that takes up to `count` messages that wait since before `before` (real time),
 * behind the first `skipped`, and notes that they are in their queue until `until`; one that failed
 * lately is put off until its turn, and its `enqueuedUntil` is another.
 */
export function enqueuedStatement(
  ctx: Context,
  {
    before,
    skipped,
    count,
    until,
  }: { before: Instant; skipped: number; count: number; until: Instant },
) {
  const next = sql`SELECT next.id FROM outbox next WHERE ${isWaiting("next")} AND ${waitingSince("next")} < ${before} ORDER BY ${waitingSince("next")}, next.id LIMIT ${count} OFFSET ${skipped}`;
  // Turns are told by the product's clock, which a person may put ahead of the real one.
  const turn = sql`${nextTurnAt(ctx, outbox.id)} - CAST(${ctx.now() - ctx.realNow()} AS INTEGER)`;
  return ctx.db
    .update(outbox)
    .set({ enqueuedUntil: sql`coalesce(${turn}, CAST(${until} AS INTEGER))` })
    .where(sql`${outbox.id} IN (${next})`)
    .returning({ id: outbox.id, enqueuedUntil: outbox.enqueuedUntil });
}

/**
 * The statement that sets aside what was announced before `before` (real time), failed `failures`
 * times or more without a day's rest, and is told by nobody.
 */
export function givenUpStatement(
  ctx: Context,
  { before, failures, reason }: { before: Instant; failures: number; reason: string },
) {
  return ctx.db
    .update(outbox)
    .set({ quarantinedAt: ctx.realNow(), quarantineReason: reason })
    .where(
      sql`${isWaiting("outbox")} AND ${waitingSince("outbox")} < ${ctx.realNow()} AND ${outbox.createdAt} < ${before} AND ${hasFailed(outbox.id, failures)}`,
    )
    .returning({ id: outbox.id });
}
