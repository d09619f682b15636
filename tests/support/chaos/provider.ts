import { ProviderRefused } from "#app/domain/payments/errors.ts";
import type {
  Capability,
  PaymentProvider,
  ProviderCharge,
  ProviderDispute,
  ProviderEvent,
  ProviderRefund,
  ProviderSavedMethod,
  ProviderTransfer,
} from "#app/domain/payments/schema.ts";
import { isDisputeLoss } from "#app/domain/payments/rules.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import {
  MAIN_PROVIDER,
  CARD_PROVIDER,
  requireEntry,
  createProviderCharges,
} from "./provider-state.ts";
import type { ProviderStateCharge } from "./provider-state.ts";
import { createProviderMandates } from "./provider-mandates.ts";

type Stored<Said> = Said & { dueAt: number | null };

const EVERYTHING: Capability[] = [
  "pix",
  "card",
  "saved_card",
  "recurring_pix",
  "transfer_to_pix_key",
  "dispute_evidence",
  "dispute_acceptance",
];
/**
 * Events that never get lost: those of disputes and of payouts returned after they were paid. Only
 * the nightly reconciliation run would find these changes, and the chaos run does not run it.
 */
const HEARD = { isHeard: true };
const ONLY_CARDS: Capability[] = ["card", "saved_card", "dispute_evidence", "dispute_acceptance"];

/**
 * A payment provider in memory, the source of truth of the chaos run. Its webhooks are unreliable,
 * and its calls fail at random before or after their effect. Its rules are those of the sandbox.
 * `cards` is a second provider, which does not know the objects of `port`.
 */
export function chaoticProvider(clock: () => number) {
  const store = createProviderCharges(clock);
  const { charges, happenings, deliveries, luck, eventCounts, happened, call, over } = store;
  const refunds = new Map<string, Stored<ProviderRefund>>();
  const transfers = new Map<string, Stored<ProviderTransfer>>();
  const disputes = new Map<string, ProviderDispute>();
  const savedCards = new Map<string, ProviderSavedMethod>();
  const automatic = createProviderMandates(store, { clock, paid });
  const { recurring, orders } = automatic;

  function paid(charge: ProviderStateCharge): void {
    Object.assign(charge, {
      status: "succeeded",
      nextActionUrl: null,
      failureCode: null,
      settlesAt: charge.method === "card" ? clock() + 30 * DAY_MS : clock(),
      savedMethodId: charge.savesCard ? `card_${charge.id}` : charge.savedMethodId,
    });
    happened("charge", charge.id, charge.at);
    automatic.consented(charge);
  }

  function made(...[asked, given]: Parameters<typeof store.made>): ProviderStateCharge {
    const isKnown = charges.has(`ch_${asked.chargeId}`);
    const charge = store.made(asked, given);
    if (!isKnown && charge.status === "succeeded") paid(charge);
    return charge;
  }

  const isOpen = ({ status }: ProviderCharge) =>
    status === "awaiting_payment" || status === "requires_action";
  const disputeOf = (chargeId: string) => disputes.get(`dp_${chargeId}`);
  const lostOf = (chargeId: string) =>
    disputeOf(chargeId)?.status === "lost" ? (disputeOf(chargeId)?.amountCents ?? 0) : 0;
  const isDisputed = (chargeId: string) => !isDisputeLoss(disputeOf(chargeId)?.status ?? "won");
  const atOf = (chargeId: string) => charges.get(chargeId)?.at ?? "";

  const portOf = (at: string, can: Capability[]): PaymentProvider => {
    const storedCharge = (id: string): ProviderStateCharge => {
      const charge = requireEntry(charges, id, "charge");
      if (charge.at !== at) throw new ProviderRefused("charge_not_found");
      return charge;
    };
    const ofMine = <Said extends { chargeId: string }>(
      one: Said | undefined,
      code: string,
    ): Said => {
      if (!one || atOf(one.chargeId) !== at) throw new ProviderRefused(`${code}_not_found`);
      return one;
    };
    const page = <Item>(items: Iterable<Item>) => call(() => ({ items: [...items], next: null }));
    return {
      name: at,
      can: new Set(can),
      needsPayerTaxId: false,
      cardFieldUrl: null,
      createPixCharge: (asked) =>
        call(() =>
          made(asked, {
            at,
            method: "pix",
            status: "awaiting_payment",
            pixCode: `000201${asked.chargeId}`,
            expiresAt: asked.expiresAt,
          }),
        ),
      createCardCharge: (asked) =>
        call(() => {
          const card = { at, method: "card" as const, savesCard: asked.saveMethod };
          const { savedMethodId } = asked;
          if (savedMethodId)
            return luck.dice.chance(75)
              ? made(asked, { ...card, status: "succeeded", savedMethodId })
              : made(asked, {
                  ...card,
                  status: "failed",
                  failureCode: "insufficient_funds",
                  savedMethodId,
                });
          if (asked.cardToken === "good") return made(asked, { ...card, status: "succeeded" });
          if (asked.cardToken === "declined")
            return made(asked, { ...card, status: "failed", failureCode: "card_declined" });
          return made(asked, {
            ...card,
            status: "requires_action",
            nextActionUrl: `https://chaos.test/3ds/${asked.chargeId}`,
            expiresAt: clock() + 30 * MINUTE_MS,
          });
        }),
      confirmCharge: ({ id }) => call(() => storedCharge(id)),
      chargeById: (id) => call(() => storedCharge(id)),
      chargeByReference: (chargeId) =>
        call(() => (atOf(`ch_${chargeId}`) === at ? storedCharge(`ch_${chargeId}`) : null)),
      chargesSince: () => page([...charges.values()].filter((charge) => charge.at === at)),
      cancelCharge: (id) =>
        call(() => {
          const charge = storedCharge(id);
          if (isOpen(charge)) over(charge, "canceled");
          else if (charge.status === "processing" && charge.recurringPixId !== null)
            automatic.takeBack(charge);
          else if (charge.status !== "canceled") throw new ProviderRefused("charge_not_cancelable");
          return charge;
        }),
      saveMethod: ({ savedMethodId, cardToken }) => call(() => savedCard(savedMethodId, cardToken)),
      savedMethodById: (id) => call(() => savedCards.get(id) ?? cardOf(id, "ready")),
      removeSavedMethod: (id) => call(() => cardOf(id, "removed")),
      createRecurringPix: (asked) => call(() => automatic.create(asked)),
      recurringPixById: (id) => call(() => requireEntry(recurring, id, "recurring_pix")),
      recurringPixByReference: (reference) => call(() => recurring.get(`rp_${reference}`) ?? null),
      recurringPixSince: () => page(recurring.values()),
      cancelRecurringPix: (id) =>
        call(() => {
          const row = requireEntry(recurring, id, "recurring_pix");
          automatic.end(row, "canceled");
          return row;
        }),
      chargeRecurringPix: (asked) => call(() => automatic.debit(asked)),
      instructionsOf: (chargeId) => call(() => automatic.ordersOf(chargeId)),
      instructionById: (id) => call(() => requireEntry(orders, id, "instruction")),
      retryInstruction: (asked) => call(() => automatic.retry(asked)),
      refund: ({ refundId, providerChargeId, amountCents }) =>
        call(() => {
          const id = `rf_${refundId}`;
          const known = refunds.get(id);
          if (known) return known;
          const charge = storedCharge(providerChargeId);
          if (charge.status !== "succeeded") throw new ProviderRefused("charge_not_paid");
          if (amountCents > charge.amountCents - charge.refundedCents)
            throw new ProviderRefused("refund_exceeds_charge");
          if (
            isDisputed(charge.id) ||
            amountCents > charge.amountCents - charge.refundedCents - lostOf(charge.id)
          )
            throw new ProviderRefused("charge_disputed");
          charge.refundedCents += amountCents;
          const isSlow = luck.dice.chance(20);
          const refund: Stored<ProviderRefund> = {
            id,
            reference: refundId,
            chargeId: charge.id,
            status: isSlow ? "processing" : "succeeded",
            amountCents,
            dueAt: isSlow ? clock() + HOUR_MS : null,
          };
          refunds.set(id, refund);
          happened("refund", id, at);
          return refund;
        }),
      refundById: (id) => call(() => ofMine(refunds.get(id), "refund")),
      refundByReference: ({ refundId }) =>
        call(() =>
          refunds.has(`rf_${refundId}`) ? ofMine(refunds.get(`rf_${refundId}`), "refund") : null,
        ),
      transfer: ({ payoutId, amountCents }) =>
        call(() => {
          const id = `tr_${payoutId}`;
          const transfer: Stored<ProviderTransfer> = transfers.get(id) ?? {
            id,
            reference: payoutId,
            status: "processing",
            amountCents,
            failureCode: null,
            dueAt: clock() + MINUTE_MS,
          };
          if (!transfers.has(id)) happened("transfer", id);
          transfers.set(id, transfer);
          return transfer;
        }),
      transferById: (id) => call(() => requireEntry(transfers, id, "transfer")),
      transferByReference: (payoutId) => call(() => transfers.get(`tr_${payoutId}`) ?? null),
      refundsSince: () =>
        page([...refunds.values()].filter(({ chargeId }) => atOf(chargeId) === at)),
      transfersSince: () => page(transfers.values()),
      pixKeyOwner: async () => {
        throw new ProviderRefused("not_offered_pix_key_owner");
      },
      disputeById: (id) => call(() => ofMine(disputes.get(id), "dispute")),
      disputesSince: () =>
        page([...disputes.values()].filter(({ chargeId }) => atOf(chargeId) === at)),
      submitEvidence: ({ disputeId }) =>
        call(() => answered(ofMine(disputes.get(disputeId), "dispute"))),
      acceptDispute: (id) =>
        call(() => {
          const dispute = ofMine(disputes.get(id), "dispute");
          decideDispute(dispute, "lost");
          return dispute;
        }),
      balance: async () => ({ availableCents: 1_000_000_000, pendingCents: 0 }),
      verifyWebhook: async ({ rawBody }) => JSON.parse(rawBody) as ProviderEvent,
    };
  };

  const cardOf = (id: string, status: ProviderSavedMethod["status"]): ProviderSavedMethod => {
    const card = {
      id,
      status,
      brand: "visa",
      last4: "4242",
      nextActionUrl: status === "requires_action" ? `https://chaos.test/3ds/${id}` : null,
      failureCode: status === "failed" ? "card_declined" : null,
    };
    if (savedCards.has(id) || status === "requires_action") savedCards.set(id, card);
    return card;
  };

  function savedCard(reference: string, token: string): ProviderSavedMethod {
    const id = `pm_${reference}`;
    return (
      savedCards.get(id) ??
      cardOf(id, token === "good" ? "ready" : token === "declined" ? "failed" : "requires_action")
    );
  }

  /** Answers the bank's 3DS check of a card that is being saved. */
  function answerCard({ id }: ProviderSavedMethod, status: "ready" | "failed"): void {
    cardOf(id, status);
  }

  /**
   * Applies what is due by the clock: codes expire, banks answer transfers and debits, refunds
   * succeed.
   */
  function passTime(): void {
    const now = clock();
    for (const charge of charges.values())
      if (isOpen(charge) && charge.expiresAt !== null && charge.expiresAt <= now)
        over(charge, charge.method === "pix" ? "expired" : "canceled");
    automatic.passTime();
    for (const refund of refunds.values()) {
      if (refund.dueAt === null || refund.dueAt > now) continue;
      Object.assign(refund, { status: "succeeded", dueAt: null });
      happened("refund", refund.id, atOf(refund.chargeId));
    }
    for (const transfer of transfers.values()) {
      if (transfer.dueAt === null || transfer.dueAt > now) continue;
      if (transfer.status === "paid")
        Object.assign(transfer, { status: "returned", failureCode: "account_closed", dueAt: null });
      else if (luck.dice.chance(15))
        Object.assign(transfer, { status: "failed", failureCode: "key_not_found", dueAt: null });
      else
        Object.assign(transfer, {
          status: "paid",
          dueAt: luck.dice.chance(15) ? now + DAY_MS : null,
        });
      happened("transfer", transfer.id, MAIN_PROVIDER, transfer.status === "returned" ? HEARD : {});
    }
  }

  /**
   * Pays a charge. An expired Pix is payable too, because a payer's bank may be slow. Returns
   * whether the charge was paid.
   */
  function payCharge(charge: ProviderStateCharge): boolean {
    const isPayable = isOpen(charge) || (charge.method === "pix" && charge.status === "expired");
    if (isPayable) paid(charge);
    return isPayable;
  }

  function declineCharge(charge: ProviderStateCharge): boolean {
    const isWaiting = isOpen(charge);
    if (isWaiting) over(charge, "failed", "payer_bank_declined");
    return isWaiting;
  }

  /** Opens a dispute over the amount not refunded, or over the part that `partOf` returns. */
  function openDispute(
    charge: ProviderStateCharge,
    partOf = (leftCents: number): number => leftCents,
  ): boolean {
    const leftCents = charge.amountCents - charge.refundedCents;
    const id = `dp_${charge.id}`;
    if (charge.status !== "succeeded" || leftCents === 0 || disputes.has(id)) return false;
    const amountCents = partOf(leftCents);
    disputes.set(id, {
      id,
      chargeId: charge.id,
      kind: charge.method === "pix" ? "med" : "card",
      status: "needs_response",
      amountCents,
      respondBy: null,
    });
    happened("dispute", id, charge.at, HEARD);
    return true;
  }

  function answered(dispute: ProviderDispute): ProviderDispute {
    if (isDisputeLoss(dispute.status)) throw new ProviderRefused("dispute_decided");
    dispute.status = "under_review";
    happened("dispute", dispute.id, atOf(dispute.chargeId), HEARD);
    return dispute;
  }

  function decideDispute(dispute: ProviderDispute, status: "won" | "lost"): void {
    if (isDisputeLoss(dispute.status)) return;
    dispute.status = status;
    happened("dispute", dispute.id, atOf(dispute.chargeId), HEARD);
  }

  const [port, cards] = [portOf(MAIN_PROVIDER, EVERYTHING), portOf(CARD_PROVIDER, ONLY_CARDS)];
  return {
    port,
    cards,
    charges,
    refunds,
    transfers,
    disputes,
    recurring,
    savedCards,
    happenings,
    deliveries,
    luck,
    eventCounts,
    passTime,
    payCharge,
    declineCharge,
    answerCard,
    endRecurring: automatic.end,
    answerInHalf: automatic.answerInHalf,
    openDispute,
    decideDispute,
  };
}

export type ChaoticProvider = ReturnType<typeof chaoticProvider>;
