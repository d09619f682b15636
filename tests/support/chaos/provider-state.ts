import { NotAtProvider, ProviderUnclear } from "#app/domain/payments/errors.ts";
import type { ProviderCharge, ProviderEvent } from "#app/domain/payments/schema.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Dice } from "./scheduler.ts";

/** Who takes everything, and who takes the cards of a town that has two. */
export const MAIN_PROVIDER = "chaos";
export const CARD_PROVIDER = "chaos-cards";

/** `at`: which of the two made it. */
export type ProviderStateCharge = ProviderCharge & {
  method: "pix" | "card";
  savesCard: boolean;
  at: string;
};
export type ProviderHappening = ProviderEvent & { number: number; at: string };
export type PendingDelivery = { event: ProviderHappening; dueAt: number; tries: number };

/** How the weather is: percentages of calls, of events, and of debits that find no money. */
export type FaultRates = {
  silent: number;
  answerLost: number;
  duplicate: number;
  late: number;
  drop: number;
  poor: number;
};

/**
 * Told of a calm too, as a town comes to rest: of all its events somewhat fewer come twice or late
 * than are dealt.
 */
export const CHAOS_FAULT_RATES: FaultRates = {
  silent: 6,
  answerLost: 6,
  duplicate: 42,
  late: 20,
  drop: 5,
  poor: 40,
};
export const CALM_FAULT_RATES: FaultRates = {
  silent: 0,
  answerLost: 0,
  duplicate: 0,
  late: 0,
  drop: 0,
  poor: 0,
};

/**
 * The charges of a provider in memory and what it tells of: badly, as the dice fall. Its calls fail
 * before or after their effect.
 */
export function createProviderCharges(clock: () => number) {
  const charges = new Map<string, ProviderStateCharge>();
  const happenings: ProviderHappening[] = [];
  const deliveries: PendingDelivery[] = [];
  const luck: { dice: Dice; weather: FaultRates } = {
    dice: { below: () => 0, chance: () => false, pick: ([first]) => first },
    weather: CALM_FAULT_RATES,
  };
  const told = {
    duplicates: 0,
    late: 0,
    dropped: 0,
    debits: 0,
    debitsRefused: 0,
    debitsRetried: 0,
  };

  /**
   * Of one change a provider tells one to three things, as `created`, `updated` and the word of the
   * change; `isHeard`: it sends them until they arrive.
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
      told.dropped += 1;
      return;
    }
    const isDuplicate = dice.chance(weather.duplicate);
    for (let copy = isDuplicate ? 1 + dice.below(3) : 0; copy >= 0; copy -= 1) {
      const isLate = dice.chance(weather.late);
      told.late += isLate ? 1 : 0;
      deliveries.push({ event, dueAt: clock() + (isLate ? dice.below(2 * DAY_MS) : 0), tries: 0 });
    }
    told.duplicates += isDuplicate ? 1 : 0;
  }

  /** A call over a bad network: it may not arrive, and its answer may not come back. */
  async function call<Answer>(effect: () => Answer): Promise<Answer> {
    if (luck.dice.chance(luck.weather.silent)) throw new ProviderUnclear("503");
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

  return { charges, happenings, deliveries, luck, told, happened, call, made, over };
}

export type ProviderCharges = ReturnType<typeof createProviderCharges>;

export function requireEntry<Said>(map: Map<string, Said>, id: string, code: string): Said {
  const one = map.get(id);
  if (!one) throw new NotAtProvider(`${code}_not_found`);
  return one;
}
