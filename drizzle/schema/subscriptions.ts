import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";

export const subscriptions = sqliteTable(
  "subscriptions",
  {
    id: text("id").primaryKey(),
    fanId: text("fan_id").notNull(),
    creatorId: text("creator_id").notNull(),
    planId: text("plan_id").notNull(),
    planPriceId: text("plan_price_id").notNull(),
    interval: text("interval", {
      enum: ["weekly", "monthly", "quarterly", "semiannual", "annual"],
    }).notNull(),
    amountCents: integer("amount_cents").notNull(),
    method: text("method").$type<PaymentMethod>().notNull(),
    /** A status of subscriptions/rules.ts; a trigger refuses any other. */
    status: text("status").notNull(),
    /** When the first charge succeeded; before that, the start of the trial. */
    startedAt: integer("started_at"),
    /** The time from which period boundaries count, if a pause moved it; null for the start. */
    anchorAt: integer("anchor_at"),
    currentPeriodStartsAt: integer("current_period_starts_at"),
    currentPeriodEndsAt: integer("current_period_ends_at"),
    /** The only column that access checks compare with now. Null before the first payment. */
    accessUntil: integer("access_until"),
    /**
     * The planned end of the trial; never cleared, so that there is no second trial. Null without a
     * trial.
     */
    trialEndsAt: integer("trial_ends_at"),
    canceledAt: integer("canceled_at"),
    /** The start of the last pause, also after it ended. */
    pausedAt: integer("paused_at"),
    /** When a paused subscription resumes automatically, and the paid time continues. */
    resumesAt: integer("resumes_at"),
    /** Whether it holds a seat of its plan: while live, or while its first charge is. */
    holdsSeat: integer("holds_seat", { mode: "boolean" }).notNull().default(false),
    /** The provider's token of the saved card that pays renewals. */
    savedMethodId: text("saved_method_id"),
    /** The Pix mandate that debits the renewals; the method is then `pix`. */
    recurringPixId: text("recurring_pix_id"),
    /**
     * When the renewals cron next handles it; null if nothing is due. Triggers move it earlier with
     * every relevant change.
     */
    calendarAt: integer("calendar_at"),
    /**
     * Until when it counts as queued for renewal, or waits for a retry after a failure. Null once
     * handled.
     */
    enqueuedUntil: integer("enqueued_until"),
    /** When the payment method, or the card, last changed; a trigger updates it. */
    methodChangedAt: integer("method_changed_at"),
    /**
     * The end of a complimentary subscription, which is never charged (`COMP_WITHOUT_END` for
     * none). Null for a paid one.
     */
    compEndsAt: integer("comp_ends_at"),
    /** The person on the creator's side who granted it. */
    compedBy: text("comped_by"),
    /**
     * The giver of a gift subscription: they paid once, under its own id, and it is never renewed.
     * Null if the subscriber pays.
     */
    giftedBy: text("gifted_by"),
    /**
     * The subscriber's expiring gift or comp, after which this one starts (`endingGiftOrComp`).
     * Null if it starts when paid.
     */
    beginsAfter: text("begins_after"),
    /** The slug of the creator's link that the subscriber came by; null for none. */
    linkSlug: text("link_slug"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("subscriptions_one_live")
      .on(table.fanId, table.creatorId)
      .where(sql`status NOT IN ('incomplete', 'upcoming', 'expired')`),
    // At most one upcoming subscription, beside the expiring one that it follows.
    uniqueIndex("subscriptions_one_upcoming")
      .on(table.fanId, table.creatorId)
      .where(sql`status = 'upcoming'`),
    uniqueIndex("subscriptions_one_trial")
      .on(table.fanId, table.creatorId)
      .where(sql`trial_ends_at IS NOT NULL`),
    index("subscriptions_fan").on(table.fanId, table.createdAt),
    index("subscriptions_audience").on(table.creatorId, table.fanId),
    index("subscriptions_creator").on(table.creatorId, table.status),
    // The seller's subscriber list, newest first: unfiltered, or by the most selective filter.
    index("subscribers_all")
      .on(table.creatorId, table.createdAt, table.id)
      .where(sql`started_at IS NOT NULL`),
    index("subscribers_in")
      .on(table.creatorId, table.status, table.createdAt, table.id)
      .where(sql`started_at IS NOT NULL`),
    index("subscribers_of")
      .on(table.creatorId, table.planId, table.createdAt, table.id)
      .where(sql`started_at IS NOT NULL`),
    index("subscribers_by")
      .on(table.creatorId, table.method, table.createdAt, table.id)
      .where(sql`started_at IS NOT NULL`),
    index("subscribers_comped")
      .on(table.creatorId, table.createdAt, table.id)
      .where(sql`comp_ends_at IS NOT NULL AND started_at IS NOT NULL`),
    index("subscribers_gifted")
      .on(table.creatorId, table.createdAt, table.id)
      .where(sql`gifted_by IS NOT NULL AND started_at IS NOT NULL`),
    index("subscriptions_comps_due")
      .on(table.compEndsAt)
      .where(sql`comp_ends_at IS NOT NULL AND status = 'active'`),
    // Subscribers of an older price of a plan, in order.
    index("subscriptions_at_price")
      .on(table.planPriceId, table.id)
      .where(sql`status NOT IN ('incomplete', 'expired')`),
    // What the renewals cron is to enqueue, longest waiting first. What is already queued does not
    // come first.
    index("subscriptions_to_enqueue")
      .on(
        sql`CASE WHEN enqueued_until > calendar_at THEN enqueued_until ELSE calendar_at END`,
        table.id,
      )
      .where(sql`calendar_at IS NOT NULL`),
  ],
);

/**
 * A card that a person consented to save for after a trial, from before the provider is asked until
 * the trial starts.
 */
export const trialSetups = sqliteTable(
  "trial_setups",
  {
    /** Also the provider's idempotency key. */
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    planPriceId: text("plan_price_id").notNull(),
    /** The terms that the person was shown and accepted. */
    trialDays: integer("trial_days").notNull(),
    amountCents: integer("amount_cents").notNull(),
    coupon: text("coupon"),
    /** The creator's link that led to it, as typed in the address; null for none. */
    linkSlug: text("link_slug"),
    status: text("status", {
      enum: ["created", "requires_action", "ready", "failed", "expired"],
    }).notNull(),
    /** The provider that was asked to save the card. */
    provider: text("provider").notNull().default(""),
    /** The provider's id of the card. */
    providerMethodId: text("provider_method_id"),
    nextActionUrl: text("next_action_url"),
    failureCode: text("failure_code"),
    /** The subscription that it started. */
    subscriptionId: text("subscription_id"),
    expiresAt: integer("expires_at").notNull(),
    askedAt: integer("asked_at").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("trial_setups_person").on(table.personId, table.createdAt),
    index("trial_setups_open")
      .on(table.askedAt)
      .where(sql`status IN ('created', 'requires_action')`),
    index("trial_setups_to_forget")
      .on(table.askedAt)
      .where(sql`status IN ('failed', 'expired') AND provider_method_id IS NOT NULL`),
  ],
);

/**
 * CPFs and CNPJs that had a trial with a creator. One trial for each, from any account. Deleted
 * with either account.
 */
export const trialUses = sqliteTable(
  "trial_uses",
  {
    creatorId: text("creator_id").notNull(),
    /** The characters only, as in `billing_details`. */
    taxId: text("tax_id").notNull(),
    personId: text("person_id").notNull(),
    subscriptionId: text("subscription_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.creatorId, table.taxId] }),
    index("trial_uses_person").on(table.personId),
  ],
);

/** Each cancellation of a renewal, with the protocol number for enquiries. */
export const subscriptionCancellations = sqliteTable(
  "subscription_cancellations",
  {
    id: text("id").primaryKey(),
    subscriptionId: text("subscription_id").notNull(),
    protocol: text("protocol").notNull(),
    /** A word of `cancellationReasons`; null without an answer. */
    reason: text("reason"),
    createdAt: integer("created_at").notNull(),
    undoneAt: integer("undone_at"),
  },
  (table) => [
    uniqueIndex("subscription_cancellations_protocol").on(table.protocol),
    uniqueIndex("subscription_cancellations_standing")
      .on(table.subscriptionId)
      .where(sql`undone_at IS NULL`),
  ],
);

/**
 * Pix mandates (Pix Automático): a payer's bank allows debits for the renewals of one subscription.
 * The statuses are those of `ProviderPixMandate`; a trigger refuses any other. Source: Banco
 * Central, Pix Automático.
 */
export const recurringPix = sqliteTable(
  "recurring_pix",
  {
    /** Also the provider's idempotency key and reference. */
    id: text("id").primaryKey(),
    subscriptionId: text("subscription_id").notNull(),
    payerId: text("payer_id").notNull(),
    provider: text("provider").notNull(),
    providerRecurringPixId: text("provider_recurring_pix_id"),
    interval: text("interval", {
      enum: ["weekly", "monthly", "quarterly", "semiannual", "annual"],
    }).notNull(),
    /**
     * The fixed amount of each debit. Null if it varies up to the ceiling, as while a coupon
     * applies.
     */
    amountCents: integer("amount_cents"),
    ceilingCents: integer("ceiling_cents").notNull(),
    leastCents: integer("least_cents").notNull(),
    /** The first possible day of a debit, `YYYY-MM-DD` in São Paulo. */
    startsOn: text("starts_on").notNull(),
    /** The charge that its code pays immediately. */
    firstChargeId: text("first_charge_id").notNull(),
    status: text("status", {
      enum: ["created", "active", "rejected", "canceled", "expired"],
    }).notNull(),
    /** Until when its code can be answered. */
    expiresAt: integer("expires_at").notNull(),
    /** When it started to pay the renewals of its subscription. */
    attachedAt: integer("attached_at"),
    /**
     * When its cancellation was requested, by its payer or because nothing is left to debit. The
     * request to the provider is repeated until confirmed.
     */
    endingAt: integer("ending_at"),
    endedAt: integer("ended_at"),
    /** The last time that the provider was asked about it. */
    askedAt: integer("asked_at").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("recurring_pix_provider").on(table.provider, table.providerRecurringPixId),
    uniqueIndex("recurring_pix_first_charge").on(table.firstChargeId),
    index("recurring_pix_subscription").on(table.subscriptionId, table.status),
    index("recurring_pix_payer").on(table.payerId, table.status),
    index("recurring_pix_living")
      .on(table.askedAt)
      .where(sql`status IN ('created', 'active')`),
  ],
);

/**
 * Subscriber counts of a creator by status, plan and method, and their monthly value: the sum of
 * `monthlyValueCents` (subscriptions/audience/rules.ts). Triggers update it with every change of a
 * subscription, so that a count reads a few rows.
 */
export const audienceTotals = sqliteTable(
  "audience_totals",
  {
    creatorId: text("creator_id").notNull(),
    status: text("status").notNull(),
    planId: text("plan_id").notNull(),
    method: text("method").notNull(),
    count: integer("count").notNull(),
    monthlyCents: integer("monthly_cents").notNull(),
  },
  (table) => [primaryKey({ columns: [table.creatorId, table.status, table.planId, table.method] })],
);

/**
 * How a change of interval split one period slice of a charge: the slice before, and what its
 * unused part pays for instead.
 */
type Cut = {
  periodId: string;
  chargeId: string;
  endsAt: number;
  amountCents: number | null;
  cutEndsAt: number;
  cutAmountCents: number | null;
};
type Moved = { chargeId: string; periodId: string; amountCents: number };

/**
 * A change of a subscription's plan or interval: now, by a charge of the difference, or at the next
 * period. `open` waits for that charge, `scheduled` for the next period, `paid` for a paid period
 * that has not started. It ends as `done`, as `over` without effect, or as `reversed` after a
 * refund. Triggers refuse other states, and end a pending change with its subscription.
 */
export const planChanges = sqliteTable(
  "plan_changes",
  {
    id: text("id").primaryKey(),
    subscriptionId: text("subscription_id").notNull(),
    happens: text("happens", { enum: ["now", "next_period"] }).notNull(),
    state: text("state").notNull(),
    fromPlanId: text("from_plan_id").notNull(),
    fromPlanPriceId: text("from_plan_price_id").notNull(),
    fromInterval: text("from_interval", {
      enum: ["weekly", "monthly", "quarterly", "semiannual", "annual"],
    }).notNull(),
    fromAmountCents: integer("from_amount_cents").notNull(),
    toPlanId: text("to_plan_id").notNull(),
    toPlanPriceId: text("to_plan_price_id").notNull(),
    toInterval: text("to_interval", {
      enum: ["weekly", "monthly", "quarterly", "semiannual", "annual"],
    }).notNull(),
    toAmountCents: integer("to_amount_cents").notNull(),
    /** The subscription's period when the change was accepted. */
    beforeStartsAt: integer("before_starts_at").notNull(),
    beforeEndsAt: integer("before_ends_at").notNull(),
    beforeAnchorAt: integer("before_anchor_at"),
    /** The time that the difference pays for; null for a change at the next period. */
    coversFrom: integer("covers_from"),
    coversUntil: integer("covers_until"),
    /** The unused value of earlier payments, and the difference that was charged. */
    creditCents: integer("credit_cents").notNull().default(0),
    dueCents: integer("due_cents").notNull().default(0),
    /** For a new interval: how earlier paid periods were split and moved. */
    periodSplit: text("recut", { mode: "json" }).$type<{ cuts: Cut[]; moved: Moved[] }>(),
    /** Whether it reserves a seat of the new plan. */
    holdsSeat: integer("holds_seat", { mode: "boolean" }).notNull().default(false),
    /** Why it is over. */
    reason: text("reason"),
    createdAt: integer("created_at").notNull(),
    settledAt: integer("settled_at"),
  },
  (table) => [
    uniqueIndex("plan_changes_one_standing")
      .on(table.subscriptionId)
      .where(sql`state IN ('open', 'scheduled', 'paid')`),
    index("plan_changes_of").on(table.subscriptionId, table.createdAt),
    index("plan_changes_due")
      .on(table.state, table.beforeEndsAt)
      .where(sql`state = 'paid'`),
  ],
);

/** The shift of one subscription by its creator's vacation. */
export const vacationShifts = sqliteTable(
  "vacation_shifts",
  {
    subscriptionId: text("subscription_id").notNull(),
    vacationId: text("vacation_id").notNull(),
    /**
     * The end of the vacation that it was shifted for: the announced one, or the early return after
     * shifting back.
     */
    shiftedUntil: integer("shifted_until").notNull(),
    /** The total shift of the period's end, in milliseconds. */
    movedMs: integer("moved_ms").notNull(),
    /** The end of its period before the shift. */
    beforeEndsAt: integer("before_ends_at").notNull(),
    createdAt: integer("created_at").notNull(),
    movedBackAt: integer("moved_back_at"),
  },
  (table) => [
    primaryKey({ columns: [table.subscriptionId, table.vacationId] }),
    index("vacation_shifts_vacation").on(table.vacationId),
  ],
);

/**
 * A request to subscribers of older prices of one plan and interval to accept the current price. A
 * new price or archiving the plan withdraws it. Triggers enforce that, and count the answers.
 */
export const priceAsks = sqliteTable(
  "price_asks",
  {
    id: text("id").primaryKey(),
    planId: text("plan_id").notNull(),
    interval: text("interval", {
      enum: ["weekly", "monthly", "quarterly", "semiannual", "annual"],
    }).notNull(),
    /** The new price; each price is requested once. */
    planPriceId: text("plan_price_id").notNull(),
    amountCents: integer("amount_cents").notNull(),
    /** The team member who requested it; null if the creator did. */
    actedBy: text("acted_by"),
    askedAt: integer("asked_at").notNull(),
    /** Periods that start from then on cost the new price for those who accepted. */
    takesEffectAt: integer("takes_effect_at").notNull(),
    withdrawnAt: integer("withdrawn_at"),
    /** Progress of the notifications: the last subscription notified; null before the first. */
    notifiedUpTo: text("told_up_to"),
    allNotifiedAt: integer("told_all_at"),
    askedCount: integer("asked_count").notNull().default(0),
    acceptedCount: integer("accepted_count").notNull().default(0),
    declinedCount: integer("kept_count").notNull().default(0),
    /** Subscribers whose price falls: they need not be asked. */
    loweredCount: integer("lowered_count").notNull().default(0),
  },
  (table) => [
    uniqueIndex("price_asks_price").on(table.planPriceId),
    uniqueIndex("price_asks_open")
      .on(table.planId, table.interval)
      .where(sql`withdrawn_at IS NULL`),
    index("price_asks_of").on(table.planId, table.askedAt),
    index("price_asks_to_tell")
      .on(table.askedAt)
      .where(sql`told_all_at IS NULL AND withdrawn_at IS NULL`),
  ],
);

/**
 * A subscriber's answer to a request for a new price. Nothing changes before they accept. Then it
 * applies to the first charge of a period that starts on or after `takesEffectAt`. The batch that
 * creates the charge sets `appliedAt`. Triggers refuse other states and protect the request's
 * terms.
 */
export const priceConsents = sqliteTable(
  "price_consents",
  {
    subscriptionId: text("subscription_id").notNull(),
    /** A row of `price_asks`. */
    askId: text("ask_id").notNull(),
    fromPlanPriceId: text("from_plan_price_id").notNull(),
    fromAmountCents: integer("from_amount_cents").notNull(),
    toPlanPriceId: text("to_plan_price_id").notNull(),
    toAmountCents: integer("to_amount_cents").notNull(),
    takesEffectAt: integer("takes_effect_at").notNull(),
    state: text("state").notNull(),
    answeredAt: integer("answered_at"),
    /** By a signed-in session, or by the link of an email; null if no answer was needed. */
    answeredBy: text("answered_by", { enum: ["session", "link"] }),
    appliedAt: integer("applied_at"),
    /** When a subscriber without an answer is reminded, once; null if nobody is. */
    remindAt: integer("remind_at"),
    remindedAt: integer("reminded_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.subscriptionId, table.askId] }),
    index("price_consents_to_remind")
      .on(table.remindAt)
      .where(sql`state = 'asked' AND remind_at IS NOT NULL AND reminded_at IS NULL`),
  ],
);
