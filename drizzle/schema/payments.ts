import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";

/**
 * One attempt to take money from one person. The states and their transitions are in
 * payments/rules.ts.
 */
export const charges = sqliteTable(
  "charges",
  {
    id: text("id").primaryKey(),
    payerId: text("payer_id").notNull(),
    creatorId: text("creator_id").notNull(),
    /**
     * What is bought, and its row: a subscription, the difference of its change of plan, a purchase
     * of a post or of a collection, a tip, or a gift; `debt` buys nothing: a creator pays what they
     * owe.
     */
    purchaseKind: text("purchase_kind", {
      enum: ["subscription", "plan_change", "post", "collection", "tip", "gift", "debt"],
    }).notNull(),
    purchaseId: text("purchase_id").notNull(),
    /** The change of plan that it pays for: its difference now, or the first period of the new plan. */
    planChangeId: text("plan_change_id"),
    description: text("description").notNull(),
    amountCents: integer("amount_cents").notNull(),
    /** Fixed when the charge is created, so that a later change of the fee touches no sale. */
    feeBasisPoints: integer("fee_basis_points").notNull(),
    feeCents: integer("fee_cents").notNull(),
    netCents: integer("net_cents").notNull(),
    method: text("method").$type<PaymentMethod>().notNull(),
    provider: text("provider").notNull(),
    providerChargeId: text("provider_charge_id"),
    status: text("status").notNull(),
    pixCode: text("pix_code"),
    /** Where the payer confirms (3DS) or types the card (no JavaScript). */
    nextActionUrl: text("next_action_url"),
    /**
     * Since when its owner has been asked to confirm it at their bank; it stays when the bank
     * answers later.
     */
    confirmAskedAt: integer("confirm_asked_at"),
    failureCode: text("failure_code"),
    /**
     * A card that the provider keeps with this payment, by its person's consent: a trigger takes it
     * from here to `saved_methods` at once.
     */
    keptMethodId: text("kept_method_id"),
    refundedCents: integer("refunded_cents").notNull().default(0),
    refundedFeeCents: integer("refunded_fee_cents").notNull().default(0),
    /** What the bank fights over now, or was lost to it. */
    disputedCents: integer("disputed_cents").notNull().default(0),
    disputedFeeCents: integer("disputed_fee_cents").notNull().default(0),
    /** What the provider kept of it for itself, as it was posted; null until it said. */
    costCents: integer("cost_cents"),
    /**
     * The period of the subscription that it pays for, when that is known before the payment (a
     * renewal).
     */
    periodStartsAt: integer("period_starts_at"),
    periodEndsAt: integer("period_ends_at"),
    /**
     * The authorisation of Pix Automático whose code this pays, or, with `debitOn`, from which it
     * is debited.
     */
    recurringPixId: text("recurring_pix_id"),
    /**
     * The day on which the bank was last ordered to debit it, `YYYY-MM-DD` in São Paulo; null for
     * what somebody pays by hand.
     */
    debitOn: text("debit_on"),
    expiresAt: integer("expires_at"),
    succeededAt: integer("succeeded_at"),
    /**
     * What each period that it covers costs, first the first, where it covers several; null for
     * one, and for what has no periods.
     */
    periodsCents: text("periods_cents", { mode: "json" }).$type<number[]>(),
    /**
     * What of its net is in creator_pending: whoever moves any of it does so from the amount that
     * they read.
     */
    pendingCents: integer("pending_cents").notNull().default(0),
    /**
     * What it was first asked for with, beside what this row says, while the provider's answer is
     * unclear: asked again, it is asked for with the same.
     */
    askedWith: text("asked_with", { mode: "json" }).$type<{
      payerName: string;
      payerTaxId: string | null;
      savedMethodId: string | null;
      saveMethod: boolean;
      isPayerThere: boolean;
    }>(),
    /** The last time the provider was asked about it, or told us. */
    askedAt: integer("asked_at").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("charges_provider").on(table.provider, table.providerChargeId),
    index("charges_purchase").on(table.purchaseKind, table.purchaseId),
    uniqueIndex("charges_one_renewal")
      .on(table.purchaseId, table.periodStartsAt)
      .where(
        sql`period_starts_at IS NOT NULL AND status IN ('created', 'awaiting_payment', 'requires_action', 'processing')`,
      ),
    // A debt is paid by one code at a time.
    uniqueIndex("charges_one_debt")
      .on(table.payerId)
      .where(
        sql`purchase_kind = 'debt' AND status IN ('created', 'awaiting_payment', 'requires_action', 'processing')`,
      ),
    index("charges_period")
      .on(table.purchaseId, table.periodStartsAt)
      .where(sql`period_starts_at IS NOT NULL`),
    index("charges_plan_change")
      .on(table.planChangeId)
      .where(sql`plan_change_id IS NOT NULL`),
    index("charges_payer").on(table.payerId, table.createdAt),
    index("charges_creator").on(table.creatorId, table.createdAt),
    // The few that wait for their release, by which what their creators have pending is added up.
    index("charges_pending")
      .on(table.creatorId, table.pendingCents)
      .where(sql`pending_cents <> 0`),
    index("charges_status").on(table.status, table.askedAt),
    index("charges_debited")
      .on(table.status, table.askedAt)
      .where(sql`debit_on IS NOT NULL`),
    // The statement, newest first: what somebody paid or tried to, and what they received, alone
    // and by one filter.
    index("charges_paid_by").on(
      table.payerId,
      sql`case when succeeded_at is null then created_at else succeeded_at end`,
      table.id,
    ),
    index("charges_received")
      .on(table.creatorId, table.succeededAt, table.id)
      .where(sql`succeeded_at IS NOT NULL`),
    index("charges_received_from")
      .on(table.creatorId, table.payerId, table.succeededAt, table.id)
      .where(sql`succeeded_at IS NOT NULL`),
    index("charges_received_by")
      .on(table.creatorId, table.method, table.succeededAt, table.id)
      .where(sql`succeeded_at IS NOT NULL`),
    index("charges_received_for")
      .on(table.creatorId, table.purchaseKind, table.succeededAt, table.id)
      .where(sql`succeeded_at IS NOT NULL`),
    index("charges_received_as")
      .on(
        table.creatorId,
        sql`case status when 'succeeded' then 'paid' when 'dispute_won' then 'paid' when 'disputed' then 'disputed' when 'dispute_lost' then 'lost' else 'returned' end`,
        table.succeededAt,
        table.id,
      )
      .where(sql`succeeded_at IS NOT NULL`),
  ],
);

/**
 * A part of a paid charge's net, and when it leaves creator_pending: one for each period that it
 * covers, and one for what has no periods.
 */
export const chargeReleases = sqliteTable(
  "charge_releases",
  {
    id: text("id").primaryKey(),
    chargeId: text("charge_id").notNull(),
    creatorId: text("creator_id").notNull(),
    /** From 0, in the order of the periods. */
    position: integer("position").notNull(),
    netCents: integer("net_cents").notNull(),
    /** What refunds and lost disputes took of it before it was released. */
    takenCents: integer("taken_cents").notNull().default(0),
    /** What disputes that are open hold of it: it is not released meanwhile, and the rest is. */
    disputedCents: integer("disputed_cents").notNull().default(0),
    /** When the period that it pays begins, where that is what it waits for. */
    beginsAt: integer("begins_at"),
    releaseAt: integer("release_at").notNull(),
    releasedAt: integer("released_at"),
  },
  (table) => [
    uniqueIndex("charge_releases_charge").on(table.chargeId, table.position),
    index("charge_releases_due")
      .on(table.releaseAt)
      .where(sql`released_at IS NULL AND taken_cents < net_cents`),
    index("charge_releases_creator")
      .on(table.creatorId, table.releaseAt)
      .where(sql`released_at IS NULL AND taken_cents < net_cents`),
  ],
);

/**
 * Which period of which subscription a charge pays for; a period is covered at most once, and
 * beside that by what a change of plan cost.
 */
export const chargePeriods = sqliteTable(
  "charge_periods",
  {
    id: text("id").primaryKey(),
    chargeId: text("charge_id").notNull(),
    subscriptionId: text("subscription_id").notNull(),
    startsAt: integer("starts_at").notNull(),
    endsAt: integer("ends_at").notNull(),
    /**
     * It pays the difference of a change of plan over the rest of a period that another charge
     * covers.
     */
    isDifference: integer("is_difference", { mode: "boolean" }).notNull().default(false),
    /** What of its charge pays for it; null shares what the others leave by days. */
    amountCents: integer("amount_cents"),
    /**
     * It was counted as a payment with the discount of a coupon; a trigger does, and gives the
     * count back with the period.
     */
    isDiscounted: integer("is_discounted", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    uniqueIndex("charge_periods_once")
      .on(table.subscriptionId, table.startsAt)
      .where(sql`is_difference = 0`),
    index("charge_periods_charge").on(table.chargeId),
  ],
);

export const refunds = sqliteTable(
  "refunds",
  {
    id: text("id").primaryKey(),
    chargeId: text("charge_id").notNull(),
    amountCents: integer("amount_cents").notNull(),
    feeShareCents: integer("fee_share_cents").notNull(),
    reason: text("reason").notNull(),
    /**
     * Who decided it for the seller: the creator, somebody of their team, or a moderator. Null when
     * the product or the payer did.
     */
    decidedBy: text("decided_by"),
    status: text("status", { enum: ["requested", "succeeded", "failed"] }).notNull(),
    providerRefundId: text("provider_refund_id"),
    createdAt: integer("created_at").notNull(),
    settledAt: integer("settled_at"),
    /** What the provider took for it, as it was posted; null until it said. */
    costCents: integer("cost_cents"),
  },
  (table) => [
    index("refunds_charge").on(table.chargeId),
    index("refunds_status").on(table.status, table.createdAt),
    // Who regretted, for the staff (`REGRET_WORDS`).
    index("refunds_regretted")
      .on(table.createdAt)
      .where(sql`reason = 'Arrependimento em até 7 dias.'`),
    // By which what a provider tells of a refund finds its row.
    index("refunds_provider")
      .on(table.providerRefundId)
      .where(sql`provider_refund_id IS NOT NULL`),
  ],
);

/**
 * A Pix of ours by which a refund goes to who paid, because the Pix that it came by is too old to
 * be given back. What fails or comes back ends its row, and another one asks for another key: at
 * most one of a refund is open. States and their order are in payments/rules/refund-transfers.ts
 * and in triggers.
 */
export const refundTransfers = sqliteTable(
  "refund_transfers",
  {
    /** Also the reference and the idempotency key at the provider. */
    id: text("id").primaryKey(),
    refundId: text("refund_id").notNull(),
    chargeId: text("charge_id").notNull(),
    payerId: text("payer_id").notNull(),
    amountCents: integer("amount_cents").notNull(),
    status: text("status", {
      enum: ["awaiting_key", "ready", "claimed", "sent", "paid", "failed", "returned", "canceled"],
    }).notNull(),
    /** Who paid says where to; forgotten once it was paid. */
    pixKeyKind: text("pix_key_kind", { enum: ["cpf", "cnpj"] }),
    pixKey: text("pix_key"),
    /** Who sends it, chosen as it is claimed. */
    provider: text("provider"),
    providerTransferId: text("provider_transfer_id"),
    failureCode: text("failure_code"),
    /**
     * The provider's id of a dispute of its charge, for which it waits: the bank may give the same
     * money back.
     */
    heldBy: text("held_by"),
    /**
     * That dispute, for good: still held by it, the bank decides; canceled under it, it was lost;
     * free of it, it was won.
     */
    disputedBy: text("disputed_by"),
    /** How often who paid was reminded that a key is missing. */
    remindersCount: integer("reminders_count").notNull().default(0),
    /**
     * How often a try at this key was refused for no fault of the key's; before `readyFrom` it is
     * not tried again.
     */
    refusals: integer("refusals").notNull().default(0),
    readyFrom: integer("ready_from"),
    /**
     * By which the CPF or CNPJ of a payer whose account is gone is recognised, while the money may
     * still have to go to them; the number itself is not kept.
     */
    payerDigest: text("payer_digest"),
    createdAt: integer("created_at").notNull(),
    keyGivenAt: integer("key_given_at"),
    settledAt: integer("settled_at"),
    /** What the provider took for it, as it was posted; null until it said. */
    costCents: integer("cost_cents"),
  },
  (table) => [
    uniqueIndex("refund_transfers_one_open")
      .on(table.refundId)
      .where(sql`status IN ('awaiting_key', 'ready', 'claimed', 'sent')`),
    uniqueIndex("refund_transfers_transfer").on(table.provider, table.providerTransferId),
    index("refund_transfers_refund").on(table.refundId, table.createdAt),
    index("refund_transfers_charge").on(table.chargeId),
    index("refund_transfers_payer").on(table.payerId),
    index("refund_transfers_payer_kept")
      .on(table.settledAt)
      .where(sql`payer_digest IS NOT NULL`),
    index("refund_transfers_disputed")
      .on(table.disputedBy)
      .where(sql`disputed_by IS NOT NULL`),
    index("refund_transfers_open")
      .on(table.status, table.createdAt)
      .where(sql`status IN ('awaiting_key', 'ready', 'claimed', 'sent')`),
  ],
);

export const disputes = sqliteTable(
  "disputes",
  {
    id: text("id").primaryKey(),
    chargeId: text("charge_id").notNull(),
    /** Who took the charge, and tells of its dispute. */
    provider: text("provider").notNull().default(""),
    providerDisputeId: text("provider_dispute_id").notNull(),
    /** `card` for a chargeback, `med` for Pix's special return. */
    kind: text("kind", { enum: ["card", "med"] }).notNull(),
    amountCents: integer("amount_cents").notNull(),
    feeShareCents: integer("fee_share_cents").notNull(),
    /**
     * What of its net was still to be released when it opened: so much of the parts of its charge
     * it holds until it is decided.
     */
    pendingCents: integer("pending_cents").notNull().default(0),
    status: text("status", { enum: ["open", "won", "lost"] }).notNull(),
    createdAt: integer("created_at").notNull(),
    settledAt: integer("settled_at"),
    /** Who received the payment. */
    creatorId: text("creator_id").notNull().default(""),
    /** Until when it takes an answer; null where the provider does not say. */
    respondBy: integer("respond_by"),
    /** When we learned that the bank looks at an answer. */
    underReviewAt: integer("under_review_at"),
    /** When its seller was told that the day comes near. */
    remindedAt: integer("reminded_at"),
    /** What the provider took for it, as it was posted; null until it said. */
    costCents: integer("cost_cents"),
  },
  (table) => [
    uniqueIndex("disputes_provider_id").on(table.provider, table.providerDisputeId),
    index("disputes_charge").on(table.chargeId),
    index("disputes_creator").on(table.creatorId, table.createdAt, table.id),
    index("disputes_due")
      .on(table.respondBy)
      .where(sql`status = 'open' AND under_review_at IS NULL AND reminded_at IS NULL`),
  ],
);

/** Provider deliveries, raw, before anything is decided about them. */
export const inbox = sqliteTable(
  "inbox",
  {
    id: text("id").primaryKey(),
    provider: text("provider").notNull(),
    providerEventId: text("provider_event_id").notNull(),
    type: text("type").notNull(),
    /** The provider's id of what the event is about. */
    objectId: text("object_id").notNull(),
    body: text("body").notNull(),
    attempts: integer("attempts").notNull().default(0),
    handledAt: integer("handled_at"),
    quarantinedAt: integer("quarantined_at"),
    quarantineReason: text("quarantine_reason"),
    /** Real time, not the test clock. */
    receivedAt: integer("received_at").notNull(),
    /** What of ours it was about when it was set aside, where that was known. */
    aboutChargeId: text("about_charge_id"),
    aboutPayoutId: text("about_payout_id"),
    /**
     * What a moderator did with it once it was set aside, all of it or none: "retried" or, for
     * good, "closed" with a note. Real time.
     */
    answer: text("answer"),
    answeredAt: integer("answered_at"),
    answeredBy: text("answered_by"),
    answerNote: text("answer_note"),
  },
  (table) => [
    uniqueIndex("inbox_event").on(table.provider, table.providerEventId),
    index("inbox_waiting").on(table.handledAt, table.quarantinedAt, table.receivedAt),
    index("inbox_aside")
      .on(table.quarantinedAt, table.id)
      .where(
        sql`quarantined_at IS NOT NULL AND handled_at IS NULL AND quarantine_reason <> 'unknown_type' AND answer IS NOT 'closed'`,
      ),
    index("inbox_answered")
      .on(table.answeredAt, table.id)
      .where(sql`answer IS NOT NULL`),
  ],
);

/**
 * Who has the turn at doing something at a provider that knows no key of ours, until when (real
 * time).
 */
export const providerTurns = sqliteTable(
  "provider_turns",
  { subject: text("subject").primaryKey(), heldUntil: integer("held_until").notNull() },
  (table) => [index("provider_turns_old").on(table.heldUntil)],
);

/**
 * What the platform keeps of a creator's sales from a day on, where it is not the platform's own
 * fee; append-only by trigger.
 */
export const feeOverrides = sqliteTable(
  "fee_overrides",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    /** Null goes back to the platform's. */
    basisPoints: integer("basis_points"),
    startsAt: integer("starts_at").notNull(),
    /** Why, for the staff. */
    note: text("note").notNull(),
    setBy: text("set_by").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("fee_overrides_creator").on(table.creatorId, table.startsAt, table.id)],
);

/**
 * What a moderator gave up of what a creator owes. Append-only by trigger, and within the ledger's
 * account by its posting.
 */
export const writeOffs = sqliteTable(
  "write_offs",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    amountCents: integer("amount_cents").notNull(),
    /** Why, for the staff. */
    reason: text("reason").notNull(),
    decidedBy: text("decided_by").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("write_offs_creator").on(table.creatorId, table.createdAt)],
);
