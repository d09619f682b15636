import { NotAtProvider, ProviderUnclear } from "#app/domain/payments/errors.ts";
import type { ProviderCharge, ProviderEvent } from "#app/domain/payments/schema.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Dice } from "./scheduler.ts";

/** The provider of every charge, and the card provider of a world with two providers. */
export const MAIN_PROVIDER = "chaos";
export const CARD_PROVIDER = "chaos-cards";

/** `at`: which of the two providers created the charge. */
export type ProviderStateCharge = ProviderCharge & {
  method: "pix" | "card";
  savesCard: boolean;
  at: string;
};
export type ProviderHappening = ProviderEvent & { number: number; at: string };
export type PendingDelivery = { event: ProviderHappening; dueAt: number; tries: number };

/** Fault rates in percent: of calls, of events, and of debits that fail for lack of funds. */
export type FaultRates = {
  unanswered: number;
  answerLost: number;
  duplicate: number;
  late: number;
  drop: number;
  poor: number;
};

/**
 * Fault rates of the chaos run. The share over a whole run is somewhat lower, because the events of
 * the final settling have no faults.
 */
export const CHAOS_FAULT_RATES: FaultRates = {
  unanswered: 6,
  answerLost: 6,
  duplicate: 42,
  late: 20,
  drop: 5,
  poor: 40,
};
export const CALM_FAULT_RATES: FaultRates = {
  unanswered: 0,
  answerLost: 0,
  duplicate: 0,
  late: 0,
  drop: 0,
  poor: 0,
};

/**
 * The charges of the provider in memory, and its webhook events. Events get lost, repeated or
 * delayed at random. Calls fail before or after their effect.
 */
export function createProviderCharges(clock: () => number) {
  const charges = new Map<string, ProviderStateCharge>();
  const happenings: ProviderHappening[] = [];
  const deliveries: PendingDelivery[] = [];
  const luck: { dice: Dice; weather: FaultRates } = {
    dice: { below: () => 0, chance: () => false, pick: ([first]) => first },
    weather: CALM_FAULT_RATES,
  };
  const eventCounts = {
    duplicates: 0,
    late: 0,
    dropped: 0,
    debits: 0,
    debitsRefused: 0,
    debitsRetried: 0,
  };

  /**
   * Sends one to three events about one change, as real providers do (`created`, `updated` and the
   * change itself). `isHeard`: these events never get lost.
   */
  function happened(
    type: ProviderHappening["type"],
    objectId: string,
    at: string = MAIN_PROVIDER,
    { isHeard = false } = {},
  ): void {
    for (let more = luck.dice.below(3); more >= 0; more -= 1)
      announce({ type, objectId, at, isHeard });
  }

  function announce({
    type,
    objectId,
    at,
    isHeard,
  }: {
    type: ProviderHappening["type"];
    objectId: string;
    at: string;
    isHeard: boolean;
  }): void {
    const event: ProviderHappening = {
      id: `evt_${happenings.length + 1}`,
      type,
      objectId,
      number: happenings.length + 1,
      at,
    };
    happenings.push(event);
    const { dice, weather } = luck;
    if (!isHeard && dice.chance(weather.drop)) {
      eventCounts.dropped += 1;
      return;
    }
    const isDuplicate = dice.chance(weather.duplicate);
    for (let copy = isDuplicate ? 1 + dice.below(3) : 0; copy >= 0; copy -= 1) {
      const isLate = dice.chance(weather.late);
      eventCounts.late += isLate ? 1 : 0;
      deliveries.push({ event, dueAt: clock() + (isLate ? dice.below(2 * DAY_MS) : 0), tries: 0 });
    }
    eventCounts.duplicates += isDuplicate ? 1 : 0;
  }

  /** Makes a call over a bad network: the call or its answer may get lost. */
  async function call<Answer>(effect: () => Answer): Promise<Answer> {
    if (luck.dice.chance(luck.weather.unanswered)) throw new ProviderUnclear("503");
    const answer = structuredClone(effect());
    if (luck.dice.chance(luck.weather.answerLost)) throw new ProviderUnclear("the answer was lost");
    return answer;
  }

  function made(
    asked: { chargeId: string; amountCents: number },
    given: Partial<ProviderStateCharge> & Pick<ProviderStateCharge, "status" | "method" | "at">,
  ): ProviderStateCharge {
    const id = `ch_${asked.chargeId}`;
    const known = charges.get(id);
    if (known) return known;
    const nothing = {
      refundedCents: 0,
      pixCode: null,
      nextActionUrl: null,
      expiresAt: null,
      failureCode: null,
      settlesAt: null,
      savedMethodId: null,
      costCents: null,
      recurringPixId: null,
    };
    const charge: ProviderStateCharge = {
      ...nothing,
      id,
      reference: asked.chargeId,
      amountCents: asked.amountCents,
      savesCard: false,
      ...given,
    };
    charges.set(id, charge);
    happened("charge", id, charge.at);
    return charge;
  }

  function over(
    charge: ProviderStateCharge,
    status: "failed" | "expired" | "canceled",
    failureCode: string | null = null,
  ): void {
    Object.assign(charge, { status, failureCode, nextActionUrl: null });
    happened("charge", charge.id, charge.at);
  }

  return { charges, happenings, deliveries, luck, eventCounts, happened, call, made, over };
}

export type ProviderCharges = ReturnType<typeof createProviderCharges>;

export function requireEntry<Said>(map: Map<string, Said>, id: string, code: string): Said {
  const one = map.get(id);
  if (!one) throw new NotAtProvider(`${code}_not_found`);
  return one;
}
