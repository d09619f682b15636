import { ProviderRefused } from "#app/domain/payments/errors.ts";
import type {
  ChargeRequest,
  ProviderDebitInstruction,
  ProviderPixMandate,
  PixMandateRequest,
} from "#app/domain/payments/schema.ts";
import { daysBetween, HOUR_MS, instantOfIsoDay } from "#app/domain/time.ts";
import { MAIN_PROVIDER, requireEntry } from "./provider-state.ts";
import type { ProviderStateCharge, ProviderCharges } from "./provider-state.ts";

export type ProviderMandates = ProviderPixMandate &
  Pick<PixMandateRequest, "leastCents" | "startsOn">;
type StoredOrder = ProviderDebitInstruction & { attempt: number };

/** Limits of a debit's due date and retries. Source: Banco Central, Pix Automático. */
const [LEAST_DAYS, MOST_DAYS, RETRIES, RETRY_DAYS] = [2, 10, 3, 7];
const DEBIT_HOUR_MS = 6 * HOUR_MS;

/** Pix Automático of the provider in memory: mandates and their debit instructions. */
export function createProviderMandates(
  { charges, luck, eventCounts, happened, made, over }: ProviderCharges,
  { clock, paid }: { clock: () => number; paid: (charge: ProviderStateCharge) => void },
) {
  const recurring = new Map<string, ProviderMandates>();
  const orders = new Map<string, StoredOrder>();

  function create({
    recurringPixId: reference,
    interval,
    amountCents,
    leastCents,
    startsOn,
    expiresAt,
    firstCharge,
  }: PixMandateRequest): ProviderMandates {
    const id = `rp_${reference}`;
    const known = recurring.get(id);
    if (known) return known;
    const first = made(firstCharge, {
      method: "pix",
      status: "awaiting_payment",
      pixCode: `000201${reference}`,
      expiresAt,
      recurringPixId: id,
      at: MAIN_PROVIDER,
    });
    const row: ProviderMandates = {
      id,
      reference,
      status: "created",
      interval,
      amountCents,
      leastCents,
      startsOn,
      pixCode: first.pixCode,
      expiresAt,
      firstChargeId: first.id,
    };
    recurring.set(id, row);
    happened("recurring_pix", id);
    return row;
  }

  function answered(row: ProviderMandates, status: ProviderMandates["status"]): void {
    Object.assign(row, { status, pixCode: null });
    happened("recurring_pix", row.id);
  }

  /** Ends a mandate, and with it its scheduled debit instructions and its pending charges. */
  function end(row: ProviderMandates, status: "rejected" | "canceled" | "expired"): boolean {
    if (row.status !== "created" && !(row.status === "active" && status === "canceled"))
      return false;
    answered(row, status);
    for (const order of orders.values())
      if (order.recurringPixId === row.id && order.status === "scheduled")
        order.status = "canceled";
    for (const charge of charges.values())
      if (
        charge.recurringPixId === row.id &&
        (charge.status === "awaiting_payment" || charge.status === "processing")
      )
        over(charge, "failed", "authorisation_ended");
    return true;
  }

  /** Activates the mandate when its first charge is paid. */
  function consented(charge: ProviderStateCharge): void {
    const row = charge.recurringPixId === null ? undefined : recurring.get(charge.recurringPixId);
    if (row?.firstChargeId === charge.id && row.status === "created") answered(row, "active");
  }

  /**
   * Applies only half of the bank's answer: the payment without the consent, or the consent without
   * the payment.
   */
  function answerInHalf(row: ProviderMandates, half: "payment" | "consent"): boolean {
    const first = charges.get(row.firstChargeId ?? "");
    if (row.status !== "created" || first?.status !== "awaiting_payment") return false;
    answered(row, half === "payment" ? "rejected" : "active");
    if (half === "payment") paid(first);
    else over(first, "failed", "payer_bank_declined");
    return true;
  }

  function debit(
    asked: ChargeRequest & { recurringPixId: string; dueOn: string },
  ): ProviderStateCharge {
    const known = charges.get(`ch_${asked.chargeId}`);
    if (known) return known;
    const row = requireEntry(recurring, asked.recurringPixId, "recurring_pix");
    const daysAhead = daysBetween(clock(), instantOfIsoDay(asked.dueOn));
    if (row.status !== "active") throw new ProviderRefused("recurring_pix_not_active");
    if (row.amountCents !== null && row.amountCents !== asked.amountCents)
      throw new ProviderRefused("amount_differs");
    if (asked.amountCents < row.leastCents) throw new ProviderRefused("amount_below_least");
    if (asked.dueOn < row.startsOn || daysAhead < LEAST_DAYS || daysAhead > MOST_DAYS)
      throw new ProviderRefused("due_on_invalid");
    const charge = made(asked, {
      method: "pix",
      status: "processing",
      recurringPixId: row.id,
      at: MAIN_PROVIDER,
    });
    order(charge, row.id, asked.dueOn, 1);
    return charge;
  }

  function order(
    charge: ProviderStateCharge,
    recurringPixId: string,
    dueOn: string,
    attempt: number,
  ): StoredOrder {
    const id = `in_${charge.reference}_${attempt}`;
    const made: StoredOrder = {
      id,
      chargeId: charge.id,
      recurringPixId,
      status: "scheduled",
      dueOn,
      failureCode: null,
      attempt,
    };
    orders.set(id, made);
    happened("instruction", id);
    return made;
  }

  const ordersOf = (chargeId: string): StoredOrder[] =>
    [...orders.values()].filter((one) => one.chargeId === chargeId);

  function retry({ instructionId, dueOn }: { instructionId: string; dueOn: string }): StoredOrder {
    const refused = requireEntry(orders, instructionId, "instruction");
    const charge = requireEntry(charges, refused.chargeId, "charge");
    const [first, again] = [
      ordersOf(charge.id)[0] ?? refused,
      orders.get(`in_${charge.reference}_${refused.attempt + 1}`),
    ];
    // The same request again, with the same idempotency key.
    if (again?.dueOn === dueOn) return again;
    if (recurring.get(refused.recurringPixId)?.status !== "active")
      throw new ProviderRefused("recurring_pix_not_active");
    if (again || refused.status !== "refused" || charge.status !== "failed")
      throw new ProviderRefused("instruction_not_refused");
    if (refused.attempt > RETRIES) throw new ProviderRefused("retries_exceeded");
    const dueAt = instantOfIsoDay(dueOn);
    if (
      daysBetween(clock(), dueAt) < 1 ||
      daysBetween(instantOfIsoDay(first.dueOn), dueAt) > RETRY_DAYS
    )
      throw new ProviderRefused("due_on_invalid");
    Object.assign(charge, { status: "processing", failureCode: null });
    eventCounts.debitsRetried += 1;
    return order(charge, refused.recurringPixId, dueOn, refused.attempt + 1);
  }

  /** Cancels a scheduled debit. Refused after 22:00 of the day before. */
  function takeBack(charge: ProviderStateCharge): void {
    const waiting = ordersOf(charge.id).find(({ status }) => status === "scheduled");
    if (!waiting || clock() > instantOfIsoDay(waiting.dueOn) - 2 * HOUR_MS)
      throw new ProviderRefused("charge_too_late");
    waiting.status = "canceled";
    over(charge, "canceled");
  }

  /** Expires unanswered mandates and runs the due debits, which may fail for lack of funds. */
  function passTime(): void {
    for (const row of recurring.values())
      if (row.status === "created" && row.expiresAt !== null && row.expiresAt <= clock())
        end(row, "expired");
    for (const one of orders.values()) {
      const charge = charges.get(one.chargeId);
      if (
        !charge ||
        one.status !== "scheduled" ||
        instantOfIsoDay(one.dueOn) + DEBIT_HOUR_MS > clock()
      )
        continue;
      const isPoor = luck.dice.chance(luck.weather.poor);
      eventCounts[isPoor ? "debitsRefused" : "debits"] += 1;
      Object.assign(
        one,
        isPoor ? { status: "refused", failureCode: "insufficient_funds" } : { status: "settled" },
      );
      if (isPoor) over(charge, "failed", "insufficient_funds");
      else paid(charge);
      happened("instruction", one.id);
    }
  }

  return {
    recurring,
    orders,
    create,
    end,
    consented,
    answerInHalf,
    debit,
    ordersOf,
    retry,
    takeBack,
    passTime,
  };
}
