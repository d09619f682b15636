import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";

/** One attempt to charge one payer. The states and their transitions are in payments/rules.ts. */
export const charges = sqliteTable(
  "charges",
  {
    id: text("id").primaryKey(),
    payerId: text("payer_id").notNull(),
    creatorId: text("creator_id").notNull(),
    /**
     * The kind of purchase, and its row: a subscription, the difference of a plan change, a post or
     * collection, a tip, or a gift. `debt` buys nothing: a creator pays what they owe.
     */
    purchaseKind: text("purchase_kind", {
      enum: [
        "subscription",
        "plan_change",
        "post",
        "collection",
        "message",
        "event",
        "tip",
        "gift",
        "debt",
      ],
    }).notNull(),
    purchaseId: text("purchase_id").notNull(),
    /** The plan change that it pays for: its difference now, or the first period of the new plan. */
    planChangeId: text("plan_change_id"),
    description: text("description").notNull(),
    amountCents: integer("amount_cents").notNull(),
    /** Fixed when the charge is created, so that a later change of the fee affects no earlier sale. */
    feeBasisPoints: integer("fee_basis_points").notNull(),
    feeCents: integer("fee_cents").notNull(),
    netCents: integer("net_cents").notNull(),
    method: text("method").$type<PaymentMethod>().notNull(),
    provider: text("provider").notNull(),
    providerChargeId: text("provider_charge_id"),
    status: text("status").notNull(),
    pixCode: text("pix_code"),
    /** Where the payer confirms (3DS) or types the card (without JavaScript). */
    nextActionUrl: text("next_action_url"),
    /** When its payer was asked to confirm it at their bank; it stays if the bank answers later. */
    confirmAskedAt: integer("confirm_asked_at"),
    failureCode: text("failure_code"),
    /**
     * A card that the provider saves with this payment, by its owner's consent. A trigger copies it
     * to `saved_methods` at once.
     */
    keptMethodId: text("kept_method_id"),
    refundedCents: integer("refunded_cents").notNull().default(0),
    refundedFeeCents: integer("refunded_fee_cents").notNull().default(0),
    /** The amount disputed now, or lost in a dispute. */
    disputedCents: integer("disputed_cents").notNull().default(0),
    disputedFeeCents: integer("disputed_fee_cents").notNull().default(0),
    /** The provider's cost, as posted; null until the provider reports it. */
    costCents: integer("cost_cents"),
    /** The subscription period that it pays for, if known before the payment (a renewal). */
    periodStartsAt: integer("period_starts_at"),
    periodEndsAt: integer("period_ends_at"),
    /** The Pix mandate whose code this pays, or, with `debitOn`, from which it is debited. */
    recurringPixId: text("recurring_pix_id"),
    /**
     * The latest day for which the bank was ordered to debit it, `YYYY-MM-DD` in São Paulo; null
     * for manual payments.
     */
    debitOn: text("debit_on"),
    expiresAt: integer("expires_at"),
    succeededAt: integer("succeeded_at"),
    /**
     * The price of each covered period, in order, if it covers several. Null for one period, and
     * for purchases without periods.
     */
    periodsCents: text("periods_cents", { mode: "json" }).$type<number[]>(),
    /**
     * The part of its net in creator_pending. Every write that changes it depends on the amount
     * that was read.
     */
    pendingCents: integer("pending_cents").notNull().default(0),
    /**
     * The other fields of the original provider request, while its result is unclear. A retry sends
     * the same request.
     */
    askedWith: text("asked_with", { mode: "json" }).$type<{
      payerName: string;
      payerTaxId: string | null;
      savedMethodId: string | null;
      saveMethod: boolean;
      isPayerThere: boolean;
    }>(),
    /** The last time the provider was asked about it, or reported on it. */
    askedAt: integer("asked_at").notNull(),
    createdAt: integer("created_at").notNull(),
    /** The plan that was paid for; null for a single sale and before the payment. A trigger sets it. */
    planId: text("plan_id"),
    /** The creator's link that the payer came by, likewise. */
    linkSlug: text("link_slug"),
    /** The post, collection, message or event that was sold once, likewise. */
    itemId: text("item_id"),
  },
  (table) => [
    uniqueIndex("charges_provider").on(table.provider, table.providerChargeId),
    index("charges_purchase").on(table.purchaseKind, table.purchaseId),
    uniqueIndex("charges_one_renewal")
      .on(table.purchaseId, table.periodStartsAt)
      .where(
        sql`period_starts_at IS NOT NULL AND status IN ('created', 'awaiting_payment', 'requires_action', 'processing')`,
      ),
    // Only one charge of a debt is open at a time.
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
    // The few charges that wait for their release, to sum their creators' pending funds.
    index("charges_pending")
      .on(table.creatorId, table.pendingCents)
      .where(sql`pending_cents <> 0`),
    index("charges_status").on(table.status, table.askedAt),
    index("charges_debited")
      .on(table.status, table.askedAt)
      .where(sql`debit_on IS NOT NULL`),
    // The statement, newest first: payments and attempts of a payer, and payments received.
    // Unfiltered or with one filter.
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
    index("charges_received_plan")
      .on(table.creatorId, table.planId, table.succeededAt, table.id)
      .where(sql`succeeded_at IS NOT NULL`),
    index("charges_received_link")
      .on(table.creatorId, table.linkSlug, table.succeededAt, table.id)
      .where(sql`succeeded_at IS NOT NULL`),
    index("charges_received_item")
      .on(table.creatorId, table.itemId, table.succeededAt, table.id)
      .where(sql`succeeded_at IS NOT NULL AND item_id IS NOT NULL`),
    // Of which something was refunded or disputed.
    index("charges_received_back")
      .on(table.creatorId, table.succeededAt, table.id)
      .where(sql`succeeded_at IS NOT NULL AND refunded_cents + disputed_cents > 0`),
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
 * A part of a paid charge's net, and when it leaves creator_pending. One for each covered period,
 * or one for a purchase without periods.
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
    /** What refunds and lost disputes took of it before its release. */
    takenCents: integer("taken_cents").notNull().default(0),
    /** The amount held by open disputes. It is not released meanwhile; the rest is. */
    disputedCents: integer("disputed_cents").notNull().default(0),
    /** The start of the paid period, if the release waits for it. */
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
 * The subscription periods that a charge pays for. A period is covered at most once, plus the
 * differences of plan changes.
 */
export const chargePeriods = sqliteTable(
  "charge_periods",
  {
    id: text("id").primaryKey(),
    chargeId: text("charge_id").notNull(),
    subscriptionId: text("subscription_id").notNull(),
    startsAt: integer("starts_at").notNull(),
    endsAt: integer("ends_at").notNull(),
    /** It pays the difference of a plan change over the rest of a period that another charge covers. */
    isDifference: integer("is_difference", { mode: "boolean" }).notNull().default(false),
    /** The part of its charge that pays for it. If null, the remaining amount is shared by days. */
    amountCents: integer("amount_cents"),
    /**
     * Whether it counts as a payment discounted by a coupon. A trigger counts it, and uncounts it
     * when the period is removed.
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
     * Who decided it for the seller: the creator, a team member, or a moderator. Null if the
     * product or the payer decided.
     */
    decidedBy: text("decided_by"),
    status: text("status", { enum: ["requested", "succeeded", "failed"] }).notNull(),
    providerRefundId: text("provider_refund_id"),
    createdAt: integer("created_at").notNull(),
    settledAt: integer("settled_at"),
    /** The provider's cost, as posted; null until the provider reports it. */
    costCents: integer("cost_cents"),
  },
  (table) => [
    index("refunds_charge").on(table.chargeId),
    index("refunds_status").on(table.status, table.createdAt),
    // Cooling-off refunds, for staff (`COOLING_OFF_REFUND_REASON`).
    index("refunds_regretted")
      .on(table.createdAt)
      .where(sql`reason = 'Arrependimento em até 7 dias.'`),
    // Finds the refund of a provider's webhook.
    index("refunds_provider")
      .on(table.providerRefundId)
      .where(sql`provider_refund_id IS NOT NULL`),
  ],
);

/**
 * A Pix transfer that pays a refund, because the original Pix is too old to be refunded by the
 * provider. If it fails or is returned, its row ends, and a new row asks for another key. At most
 * one per refund is open. States and their order are in payments/refund-transfers/rules.ts and in
 * triggers.
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
    /** The payer's refund key; erased once it was paid. */
    pixKeyKind: text("pix_key_kind", { enum: ["cpf", "cnpj"] }),
    pixKey: text("pix_key"),
    /** The provider that sends it, chosen when it is claimed. */
    provider: text("provider"),
    providerTransferId: text("provider_transfer_id"),
    failureCode: text("failure_code"),
    /**
     * The provider's id of a dispute of its charge, which it waits for: the bank may return the
     * same money.
     */
    heldBy: text("held_by"),
    /**
     * The id of that dispute, stored permanently. With `heldBy`, the bank is still deciding. If
     * canceled, the dispute was lost; if released, it was won.
     */
    disputedBy: text("disputed_by"),
    /** How many reminders of the missing key the payer received. */
    remindersCount: integer("reminders_count").notNull().default(0),
    /**
     * How many attempts with this key were refused for another reason than the key. It is not
     * retried before `readyFrom`.
     */
    refusals: integer("refusals").notNull().default(0),
    readyFrom: integer("ready_from"),
    /**
     * Recognises the CPF or CNPJ of a payer whose account was deleted, while a refund may still be
     * due. The number itself is not stored.
     */
    payerDigest: text("payer_digest"),
    createdAt: integer("created_at").notNull(),
    keyGivenAt: integer("key_given_at"),
    settledAt: integer("settled_at"),
    /** The provider's cost, as posted; null until the provider reports it. */
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
    /** The provider of the charge, which reports its dispute. */
    provider: text("provider").notNull().default(""),
    providerDisputeId: text("provider_dispute_id").notNull(),
    /** `card` for a chargeback, `med` for Pix's special refund mechanism. */
    kind: text("kind", { enum: ["card", "med"] }).notNull(),
    amountCents: integer("amount_cents").notNull(),
    feeShareCents: integer("fee_share_cents").notNull(),
    /**
     * The part of its net that was unreleased when the dispute opened. It holds that much of the
     * charge's release parts until it is decided.
     */
    pendingCents: integer("pending_cents").notNull().default(0),
    status: text("status", { enum: ["open", "won", "lost"] }).notNull(),
    createdAt: integer("created_at").notNull(),
    settledAt: integer("settled_at"),
    /** The seller. */
    creatorId: text("creator_id").notNull().default(""),
    /** The deadline for an answer; null if the provider gives none. */
    respondBy: integer("respond_by"),
    /** When we learned that the bank is reviewing an answer. */
    underReviewAt: integer("under_review_at"),
    /** When the seller was reminded of the deadline. */
    remindedAt: integer("reminded_at"),
    /** The provider's cost, as posted; null until the provider reports it. */
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

/** Webhook events of providers, stored raw before they are processed. */
export const inbox = sqliteTable(
  "inbox",
  {
    id: text("id").primaryKey(),
    provider: text("provider").notNull(),
    providerEventId: text("provider_event_id").notNull(),
    type: text("type").notNull(),
    /** The provider's id of the event's object. */
    objectId: text("object_id").notNull(),
    body: text("body").notNull(),
    attempts: integer("attempts").notNull().default(0),
    handledAt: integer("handled_at"),
    quarantinedAt: integer("quarantined_at"),
    quarantineReason: text("quarantine_reason"),
    /** Real time, not the test clock. */
    receivedAt: integer("received_at").notNull(),
    /** Our row that it was about when it was quarantined, if known. */
    aboutChargeId: text("about_charge_id"),
    aboutPayoutId: text("about_payout_id"),
    /**
     * A moderator's answer to a quarantined event, all of it or none: "retried", or "closed" with a
     * note, which is final. Real time.
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

/** Leases for actions at providers without idempotency keys, and when they expire (real time). */
export const providerTurns = sqliteTable(
  "provider_turns",
  { subject: text("subject").primaryKey(), heldUntil: integer("held_until").notNull() },
  (table) => [index("provider_turns_old").on(table.heldUntil)],
);

/** A creator's own fee from a day on, instead of the platform's; append-only by trigger. */
export const feeOverrides = sqliteTable(
  "fee_overrides",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    /** Null restores the platform's fee. */
    basisPoints: integer("basis_points"),
    startsAt: integer("starts_at").notNull(),
    /** The reason, for staff. */
    note: text("note").notNull(),
    setBy: text("set_by").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("fee_overrides_creator").on(table.creatorId, table.startsAt, table.id)],
);

/**
 * Debt of a creator that a moderator wrote off. Append-only by trigger; the posting keeps it within
 * the ledger account's balance.
 */
export const writeOffs = sqliteTable(
  "write_offs",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    amountCents: integer("amount_cents").notNull(),
    /** The reason, for staff. */
    reason: text("reason").notNull(),
    decidedBy: text("decided_by").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("write_offs_creator").on(table.creatorId, table.createdAt)],
);
