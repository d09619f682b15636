import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";

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
    /** A state of subscriptions/rules.ts; a trigger refuses any other word. */
    status: text("status").notNull(),
    /** When the first charge succeeded; of a trial, when it began, until then. */
    startedAt: integer("started_at"),
    /** From which every period boundary counts, where a pause moved it; null for the start. */
    anchorAt: integer("anchor_at"),
    currentPeriodStartsAt: integer("current_period_starts_at"),
    currentPeriodEndsAt: integer("current_period_ends_at"),
    /** Whoever asks for access compares only this with now. Null before the first payment. */
    accessUntil: integer("access_until"),
    /**
     * Until when its free days were to run; kept for ever, so that there is no second trial. Null
     * for what began without one.
     */
    trialEndsAt: integer("trial_ends_at"),
    canceledAt: integer("canceled_at"),
    /** When it was paused the last time, also after it went on. */
    pausedAt: integer("paused_at"),
    /** When a paused one goes on by itself, and what is paid for begins again. */
    resumesAt: integer("resumes_at"),
    /** Holds a seat of its plan while live, or while its first charge is. */
    holdsSeat: integer("holds_seat", { mode: "boolean" }).notNull().default(false),
    /** Token of the saved card that pays renewals, as the provider named it. */
    savedMethodId: text("saved_method_id"),
    /** The authorisation of Pix Automático by which renewals are debited; its method is `pix`. */
    recurringPixId: text("recurring_pix_id"),
    /**
     * When the calendar looks at it next; null where nothing is to come. Triggers bring it forward
     * with every change that may matter.
     */
    calendarAt: integer("calendar_at"),
    /**
     * Until when its message to the calendar's queue counts as waiting there, or until when it
     * waits its turn after it failed; null once it was looked at.
     */
    enqueuedUntil: integer("enqueued_until"),
    /** When the method, or the card, last became another one; a trigger keeps it. */
    methodChangedAt: integer("method_changed_at"),
    /**
     * A courtesy of who creates, never charged: until when it was given (`COMP_WITHOUT_END` for no
     * end). Null for what is paid.
     */
    compEndsAt: integer("comp_ends_at"),
    /** Who of the creator's side gave it. */
    compedBy: text("comped_by"),
    /**
     * Who gave it, of a gift: paid once by them under its own id, and never renewed. Null for what
     * its own fan pays.
     */
    giftedBy: text("gifted_by"),
    /**
     * What was given to its fan and runs out, after which it is to begin (`endingGiftOrComp`); null
     * for what begins as it is paid.
     */
    beginsAfter: text("begins_after"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("subscriptions_one_live")
      .on(table.fanId, table.creatorId)
      .where(sql`status NOT IN ('incomplete', 'upcoming', 'expired')`),
    // Beside one that runs out, and after it.
    uniqueIndex("subscriptions_one_upcoming")
      .on(table.fanId, table.creatorId)
      .where(sql`status = 'upcoming'`),
    uniqueIndex("subscriptions_one_trial")
      .on(table.fanId, table.creatorId)
      .where(sql`trial_ends_at IS NOT NULL`),
    index("subscriptions_fan").on(table.fanId, table.createdAt),
    index("subscriptions_audience").on(table.creatorId, table.fanId),
    index("subscriptions_creator").on(table.creatorId, table.status),
    // The list that who sells sees, newest first: of everyone, and by what leaves the least.
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
    // Who pays an older price of a plan, one after the other.
    index("subscriptions_at_price")
      .on(table.planPriceId, table.id)
      .where(sql`status NOT IN ('incomplete', 'expired')`),
    // What the calendar is to hand out, first what waits the longest; what is in its queue is not
    // in front of it.
    index("subscriptions_to_enqueue")
      .on(
        sql`CASE WHEN enqueued_until > calendar_at THEN enqueued_until ELSE calendar_at END`,
        table.id,
      )
      .where(sql`calendar_at IS NOT NULL`),
  ],
);

/**
 * A card that somebody consented to keep for what a trial becomes, from before the provider hears
 * of it until the trial begins.
 */
export const trialSetups = sqliteTable(
  "trial_setups",
  {
    /** The provider's idempotency key too. */
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    planPriceId: text("plan_price_id").notNull(),
    /** What the person was shown and agreed to. */
    trialDays: integer("trial_days").notNull(),
    amountCents: integer("amount_cents").notNull(),
    coupon: text("coupon"),
    status: text("status", {
      enum: ["created", "requires_action", "ready", "failed", "expired"],
    }).notNull(),
    /** Who was asked to keep the card. */
    provider: text("provider").notNull().default(""),
    /** The provider's name for the card. */
    providerMethodId: text("provider_method_id"),
    nextActionUrl: text("next_action_url"),
    failureCode: text("failure_code"),
    /** What began by it. */
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
 * Whose CPF or CNPJ had free days on whose page: one trial for each, whatever account it was typed
 * in. Goes with either account.
 */
export const trialUses = sqliteTable(
  "trial_uses",
  {
    creatorId: text("creator_id").notNull(),
    /** Its characters alone, as in `billing_details`. */
    taxId: text("tax_id").notNull(),
    personId: text("person_id").notNull(),
    subscriptionId: text("subscription_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.creatorId, table.taxId] }),
    index("trial_uses_person").on(table.personId),
  ],
);

/** Each time that somebody stopped a renewal, with the number by which they may ask about it. */
export const subscriptionCancellations = sqliteTable(
  "subscription_cancellations",
  {
    id: text("id").primaryKey(),
    subscriptionId: text("subscription_id").notNull(),
    protocol: text("protocol").notNull(),
    /** A word of `cancellationReasons`; null while, or because, they did not say. */
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
 * Authorisations of Pix Automático: a person's bank lets the renewals of one subscription be
 * debited. The states are those of `ProviderPixMandate`; a trigger refuses any other word. Source:
 * Banco Central, Pix Automático.
 */
export const recurringPix = sqliteTable(
  "recurring_pix",
  {
    /** The provider's idempotency key and its reference. */
    id: text("id").primaryKey(),
    subscriptionId: text("subscription_id").notNull(),
    payerId: text("payer_id").notNull(),
    provider: text("provider").notNull(),
    providerRecurringPixId: text("provider_recurring_pix_id"),
    interval: text("interval", {
      enum: ["weekly", "monthly", "quarterly", "semiannual", "annual"],
    }).notNull(),
    /** Each debit's amount; null where it varies up to the ceiling, as while a coupon lasts. */
    amountCents: integer("amount_cents"),
    ceilingCents: integer("ceiling_cents").notNull(),
    leastCents: integer("least_cents").notNull(),
    /** The first day on which a debit may fall, `YYYY-MM-DD` in São Paulo. */
    startsOn: text("starts_on").notNull(),
    /** The charge that its code pays at once. */
    firstChargeId: text("first_charge_id").notNull(),
    status: text("status", {
      enum: ["created", "active", "rejected", "canceled", "expired"],
    }).notNull(),
    /** How long its code may be answered. */
    expiresAt: integer("expires_at").notNull(),
    /** When it began to pay the renewals of its subscription. */
    attachedAt: integer("attached_at"),
    /**
     * Since when it is to end, by its person's hand or because nothing is left to debit; the
     * provider is told until it says so.
     */
    endingAt: integer("ending_at"),
    endedAt: integer("ended_at"),
    /** The last time the provider was asked about it. */
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
 * How many subscribe to a creator, by state, plan and method, and what that is worth a month: the
 * sum of `monthlyValueCents` (subscriptions/rules/audience.ts). Triggers keep it with every change
 * of a subscription, so that a count reads a few rows.
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
 * What a change of interval moved of one stretch that a charge covers: how it was, and the one that
 * its unused part pays for instead.
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
 * A subscription that goes from one plan or interval to another: at once, by a charge of the
 * difference, or with its next period. `open` waits for that charge, `scheduledPlanChange` for the
 * next period, `submitPayment` for a period that is paid and did not begin; then it is `done`, or
 * `over` without having happened, or `reversed` because its money went back. Triggers keep the
 * words, and end what stands with its subscription.
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
    /** The subscription's period when it was agreed. */
    beforeStartsAt: integer("before_starts_at").notNull(),
    beforeEndsAt: integer("before_ends_at").notNull(),
    beforeAnchorAt: integer("before_anchor_at"),
    /** What the difference pays for; null for what happens with the next period. */
    coversFrom: integer("covers_from"),
    coversUntil: integer("covers_until"),
    /** The unused value of what was paid, and the difference that was asked for. */
    creditCents: integer("credit_cents").notNull().default(0),
    dueCents: integer("due_cents").notNull().default(0),
    /** Of a new interval: what it moved of what was paid before. */
    recut: text("recut", { mode: "json" }).$type<{ cuts: Cut[]; moved: Moved[] }>(),
    /** A seat of the new plan is kept for it. */
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

/** By how much the vacation of a creator moved one subscription. */
export const vacationShifts = sqliteTable(
  "vacation_shifts",
  {
    subscriptionId: text("subscription_id").notNull(),
    vacationId: text("vacation_id").notNull(),
    /**
     * Up to when of the vacation it was moved: its announced end, or the return once it was moved
     * back.
     */
    shiftedUntil: integer("shifted_until").notNull(),
    /** By how much the end of its period moved in all, in milliseconds. */
    movedMs: integer("moved_ms").notNull(),
    /** The end of its period before. */
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
 * Asks the subscribers of older prices of one plan and interval for the price that it sells at now.
 * A new price or an archived plan withdraws it; triggers keep that, and count the answers.
 */
export const priceAsks = sqliteTable(
  "price_asks",
  {
    id: text("id").primaryKey(),
    planId: text("plan_id").notNull(),
    interval: text("interval", {
      enum: ["weekly", "monthly", "quarterly", "semiannual", "annual"],
    }).notNull(),
    /** What is asked for; each price is asked for once. */
    planPriceId: text("plan_price_id").notNull(),
    amountCents: integer("amount_cents").notNull(),
    /** Who of the creator's team asked; null when the creator did. */
    actedBy: text("acted_by"),
    askedAt: integer("asked_at").notNull(),
    /** From which a period that begins costs the new price of who accepted. */
    takesEffectAt: integer("takes_effect_at").notNull(),
    withdrawnAt: integer("withdrawn_at"),
    /** The last subscription that was told, as they are told page after page; null before the first. */
    toldUpTo: text("told_up_to"),
    toldAllAt: integer("told_all_at"),
    askedCount: integer("asked_count").notNull().default(0),
    acceptedCount: integer("accepted_count").notNull().default(0),
    keptCount: integer("kept_count").notNull().default(0),
    /** Those for whom it costs less: nobody is asked for that. */
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
 * What the person of one subscription answered to an ask for a new price. Nothing changes until
 * they accept, and then with the first charge of a period that begins on or after `takesEffectAt`
 * (`appliedAt`), in the batch that makes it. Triggers keep the words and what was asked.
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
    /** Signed in, or by the link of a letter; null where nobody had to be asked. */
    answeredBy: text("answered_by", { enum: ["session", "link"] }),
    appliedAt: integer("applied_at"),
    /** When who did not answer is reminded, once; null where nobody is. */
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
