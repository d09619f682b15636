import { ProviderLacks, ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import type { PaymentProvider, ProviderCharge, ProviderDispute, ProviderEvent, ProviderRefund, ProviderTransfer } from "#app/domain/payments/schema.ts";
import { isDecided } from "#app/domain/payments/rules.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Dice } from "./stage.ts";

type Kept<Said> = Said & { dueAt: number | null };
export type KeptCharge = ProviderCharge & { method: "pix" | "card"; savesCard: boolean };
type Happening = ProviderEvent & { number: number };
export type Delivery = { event: Happening; dueAt: number; tries: number };

/** How the weather is: percentages of calls and of events. */
export type Weather = { silent: number; answerLost: number; duplicate: number; late: number; drop: number };

export const STORM: Weather = { silent: 6, answerLost: 6, duplicate: 30, late: 20, drop: 5 };
export const CALM: Weather = { silent: 0, answerLost: 0, duplicate: 0, late: 0, drop: 0 };

/**
 * A payment provider in memory, which is what is true in the model test: it keeps what it did, tells of it badly, and its calls fail before
 * or after their effect as the dice fall. Its rules are those of the sandbox.
 */
export function chaoticProvider(clock: () => number) {
  const charges = new Map<string, KeptCharge>();
  const refunds = new Map<string, Kept<ProviderRefund>>();
  const transfers = new Map<string, Kept<ProviderTransfer>>();
  const disputes = new Map<string, ProviderDispute>();
  const happenings: Happening[] = [];
  const deliveries: Delivery[] = [];
  const luck: { dice: Dice; weather: Weather } = { dice: { below: () => 0, chance: () => false, pick: ([first]) => first }, weather: CALM };
  const told = { duplicates: 0, late: 0, dropped: 0 };

  /** Of one change a provider tells one to three things, as `created`, `updated` and the word of the change. */
  function happened(type: Happening["type"], objectId: string): void {
    for (let more = luck.dice.below(3); more >= 0; more -= 1) announce(type, objectId);
  }

  function announce(type: Happening["type"], objectId: string): void {
    const event: Happening = { id: `evt_${happenings.length + 1}`, type, objectId, number: happenings.length + 1 };
    happenings.push(event);
    const { dice, weather } = luck;
    // Nobody asks again about a dispute: that one, the provider sends until it is heard.
    if (type !== "dispute" && dice.chance(weather.drop)) {
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

  function found<Said>(map: Map<string, Said>, id: string, code: string): Said {
    const one = map.get(id);
    if (!one) throw new ProviderRefused(`${code}_not_found`);
    return one;
  }

  function made(asked: { chargeId: string; amountCents: number }, given: Partial<KeptCharge> & Pick<KeptCharge, "status" | "method">): KeptCharge {
    const id = `ch_${asked.chargeId}`;
    const known = charges.get(id);
    if (known) return known;
    const nothing = { refundedCents: 0, pixCode: null, nextActionUrl: null, expiresAt: null, failureCode: null, settlesAt: null, savedMethodId: null, costCents: null, recurringPixId: null };
    const charge: KeptCharge = { ...nothing, id, reference: asked.chargeId, amountCents: asked.amountCents, savesCard: false, ...given };
    charges.set(id, charge);
    happened("charge", id);
    if (charge.status === "succeeded") paid(charge);
    return charge;
  }

  function paid(charge: KeptCharge): void {
    Object.assign(charge, { status: "succeeded", nextActionUrl: null, failureCode: null, settlesAt: charge.method === "card" ? clock() + 30 * DAY_MS : clock(), savedMethodId: charge.savesCard ? `card_${charge.id}` : charge.savedMethodId });
    happened("charge", charge.id);
  }

  function over(charge: KeptCharge, status: "failed" | "expired" | "canceled", failureCode: string | null = null): void {
    Object.assign(charge, { status, failureCode, nextActionUrl: null });
    happened("charge", charge.id);
  }

  const isOpen = ({ status }: ProviderCharge) => status === "awaiting_payment" || status === "requires_action";
  const isFought = (chargeId: string) => [...disputes.values()].some((dispute) => dispute.chargeId === chargeId && dispute.status !== "won");
  const lacks = (): never => {
    throw new ProviderLacks("recurring_pix");
  };

  const port: PaymentProvider = {
    name: "chaos",
    can: new Set(["pix", "card", "saved_card", "transfer_to_pix_key", "dispute_evidence", "dispute_acceptance"]),
    needsPayerTaxId: false,
    cardFieldUrl: null,
    createPixCharge: (asked) => call(() => made(asked, { method: "pix", status: "awaiting_payment", pixCode: `000201${asked.chargeId}`, expiresAt: asked.expiresAt })),
    createCardCharge: (asked) =>
      call(() => {
        const card = { method: "card" as const, savesCard: asked.saveMethod };
        if (asked.savedMethodId) return luck.dice.chance(75) ? made(asked, { ...card, status: "succeeded", savedMethodId: asked.savedMethodId }) : made(asked, { ...card, status: "failed", failureCode: "insufficient_funds", savedMethodId: asked.savedMethodId });
        if (asked.cardToken === "good") return made(asked, { ...card, status: "succeeded" });
        if (asked.cardToken === "declined") return made(asked, { ...card, status: "failed", failureCode: "card_declined" });
        return made(asked, { ...card, status: "requires_action", nextActionUrl: `https://chaos.test/3ds/${asked.chargeId}`, expiresAt: clock() + 30 * MINUTE_MS });
      }),
    confirmCharge: ({ id }) => call(() => found(charges, id, "charge")),
    chargeById: (id) => call(() => found(charges, id, "charge")),
    chargeByReference: (chargeId) => call(() => charges.get(`ch_${chargeId}`) ?? null),
    chargesSince: () => call(() => ({ items: [...charges.values()], next: null })),
    cancelCharge: (id) =>
      call(() => {
        const charge = found(charges, id, "charge");
        if (isOpen(charge)) over(charge, "canceled");
        else if (charge.status !== "canceled") throw new ProviderRefused("charge_not_cancelable");
        return charge;
      }),
    saveMethod: async () => lacks(),
    savedMethodById: (id) => call(() => ({ id, status: "ready" as const, brand: "visa", last4: "4242", nextActionUrl: null, failureCode: null })),
    removeSavedMethod: (id) => call(() => ({ id, status: "removed" as const, brand: "visa", last4: "4242", nextActionUrl: null, failureCode: null })),
    createRecurringPix: async () => lacks(),
    recurringPixById: async () => lacks(),
    recurringPixByReference: async () => lacks(),
    recurringPixSince: async () => lacks(),
    cancelRecurringPix: async () => lacks(),
    chargeRecurringPix: async () => lacks(),
    instructionsOf: async () => lacks(),
    instructionById: async () => lacks(),
    retryInstruction: async () => lacks(),
    refund: ({ refundId, providerChargeId, amountCents }) =>
      call(() => {
        const id = `rf_${refundId}`;
        const known = refunds.get(id);
        if (known) return known;
        const charge = found(charges, providerChargeId, "charge");
        if (charge.status !== "succeeded") throw new ProviderRefused("charge_not_paid");
        if (amountCents > charge.amountCents - charge.refundedCents) throw new ProviderRefused("refund_exceeds_charge");
        if (isFought(charge.id)) throw new ProviderRefused("charge_disputed");
        charge.refundedCents += amountCents;
        const isSlow = luck.dice.chance(20);
        const refund: Kept<ProviderRefund> = { id, reference: refundId, chargeId: charge.id, status: isSlow ? "processing" : "succeeded", amountCents, dueAt: isSlow ? clock() + HOUR_MS : null };
        refunds.set(id, refund);
        happened("refund", id);
        return refund;
      }),
    refundById: (id) => call(() => found(refunds, id, "refund")),
    refundByReference: ({ refundId }) => call(() => refunds.get(`rf_${refundId}`) ?? null),
    transfer: ({ payoutId, amountCents }) =>
      call(() => {
        const id = `tr_${payoutId}`;
        const transfer: Kept<ProviderTransfer> = transfers.get(id) ?? { id, reference: payoutId, status: "processing", amountCents, failureCode: null, dueAt: clock() + MINUTE_MS };
        if (!transfers.has(id)) happened("transfer", id);
        transfers.set(id, transfer);
        return transfer;
      }),
    transferById: (id) => call(() => found(transfers, id, "transfer")),
    transferByReference: (payoutId) => call(() => transfers.get(`tr_${payoutId}`) ?? null),
    refundsSince: () => call(() => ({ items: [...refunds.values()], next: null })),
    transfersSince: () => call(() => ({ items: [...transfers.values()], next: null })),
    disputeById: (id) => call(() => found(disputes, id, "dispute")),
    disputesSince: () => call(() => ({ items: [...disputes.values()], next: null })),
    submitEvidence: ({ disputeId }) => call(() => answered(found(disputes, disputeId, "dispute"))),
    acceptDispute: (id) =>
      call(() => {
        const dispute = found(disputes, id, "dispute");
        decideDispute(dispute, "lost");
        return dispute;
      }),
    balance: () => call(() => ({ availableCents: 0, pendingCents: 0 })),
    verifyWebhook: async ({ rawBody }) => JSON.parse(rawBody) as ProviderEvent,
  };

  /** What the provider's own clock does: codes run out, banks answer transfers, refunds go through. */
  function passTime(): void {
    const now = clock();
    for (const charge of charges.values()) if (isOpen(charge) && charge.expiresAt !== null && charge.expiresAt <= now) over(charge, charge.method === "pix" ? "expired" : "canceled");
    for (const refund of refunds.values()) {
      if (refund.dueAt === null || refund.dueAt > now) continue;
      Object.assign(refund, { status: "succeeded", dueAt: null });
      happened("refund", refund.id);
    }
    for (const transfer of transfers.values()) {
      if (transfer.dueAt === null || transfer.dueAt > now) continue;
      if (transfer.status === "paid") Object.assign(transfer, { status: "returned", failureCode: "account_closed", dueAt: null });
      else if (luck.dice.chance(15)) Object.assign(transfer, { status: "failed", failureCode: "key_not_found", dueAt: null });
      else Object.assign(transfer, { status: "paid", dueAt: luck.dice.chance(15) ? now + DAY_MS : null });
      happened("transfer", transfer.id);
    }
  }

  /** The payer's bank pays, also a Pix that ran out: somebody's bank was slow. */
  function payCharge(charge: KeptCharge): void {
    if (isOpen(charge) || (charge.method === "pix" && charge.status === "expired")) paid(charge);
  }

  function declineCharge(charge: KeptCharge): void {
    if (isOpen(charge)) over(charge, "failed", "payer_bank_declined");
  }

  function openDispute(charge: KeptCharge): void {
    const amountCents = charge.amountCents - charge.refundedCents;
    const id = `dp_${charge.id}`;
    if (charge.status !== "succeeded" || amountCents === 0 || disputes.has(id)) return;
    disputes.set(id, { id, chargeId: charge.id, kind: charge.method === "pix" ? "med" : "card", status: "needs_response", amountCents, respondBy: null });
    happened("dispute", id);
  }

  function answered(dispute: ProviderDispute): ProviderDispute {
    if (isDecided(dispute.status)) throw new ProviderRefused("dispute_decided");
    dispute.status = "under_review";
    happened("dispute", dispute.id);
    return dispute;
  }

  function decideDispute(dispute: ProviderDispute, status: "won" | "lost"): void {
    if (isDecided(dispute.status)) return;
    dispute.status = status;
    happened("dispute", dispute.id);
  }

  return { port, charges, refunds, transfers, disputes, happenings, deliveries, luck, told, passTime, payCharge, declineCharge, openDispute, decideDispute };
}

export type ChaoticProvider = ReturnType<typeof chaoticProvider>;
