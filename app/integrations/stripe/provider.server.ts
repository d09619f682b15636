import { ProviderUnsupported } from "#app/domain/payments/errors.ts";
import type { Capability, ListRequest, PaymentProvider } from "#app/domain/payments/schema.ts";
import { balance, dispute, isInReais, listOf, refund, refundMade } from "./answers.ts";
import { stripeCharges } from "./charges.server.ts";
import { stripeApi } from "./client.server.ts";
import type { StripeApi, StripeOptions } from "./client.server.ts";
import { REFUND_KEY, toDispute, toRefund } from "./from-answers.ts";
import { answering } from "./disputes.server.ts";
import { savingCards } from "./saved-cards.server.ts";
import { verifyStripeWebhook } from "./webhook.server.ts";

const LIST_LIMIT = 100;

/**
 * Stripe: one-time Pix, cards, saved cards, refunds and disputes. It sends no Pix transfers and has
 * no Pix Automático here.
 */
export function stripeProvider(options: StripeOptions): PaymentProvider {
  const api = stripeApi(options);
  const secrets = options.webhookSecret.split(/\s+/);
  return {
    name: "stripe",
    can: new Set<Capability>([
      "pix",
      "card",
      "saved_card",
      "dispute_evidence",
      "dispute_acceptance",
    ]),
    needsPayerTaxId: false,
    cardFieldUrl: options.cardFieldUrl ?? null,
    ...stripeCharges(api),
    ...savingCards(api),
    ...givingBack(api),
    ...answering(api),
    ...withoutRecurringPix(),
    ...withoutTransfers(),
    async balance() {
      const { available, pending } = await api.ask(balance, "retrieve balance", (sdk) =>
        sdk.balance.retrieve(),
      );
      const inReais = (parts: typeof available) =>
        parts
          .filter(({ currency }) => currency === "brl")
          .reduce((sum, { amount }) => sum + amount, 0);
      return { availableCents: inReais(available), pendingCents: inReais(pending) };
    },
    verifyWebhook: (request) => verifyStripeWebhook(secrets, request),
  };
}

function givingBack(api: StripeApi) {
  return {
    refund: async ({ refundId, providerChargeId, amountCents }) =>
      toRefund(
        await api.ask(refundMade, "create refund", (sdk) =>
          sdk.refunds.create(
            {
              payment_intent: providerChargeId,
              amount: amountCents,
              metadata: { [REFUND_KEY]: refundId },
            },
            { idempotencyKey: `refund-${refundId}` },
          ),
        ),
      ),
    refundById: async (id) =>
      toRefund(
        await api.ask(refund, "retrieve refund", (sdk) =>
          sdk.refunds.retrieve(id, { expand: ["balance_transaction"] }),
        ),
      ),
    async refundByReference({ refundId, providerChargeId }) {
      const list = await api.ask(listOf(refund), "list refunds", (sdk) =>
        sdk.refunds.list({ payment_intent: providerChargeId, limit: LIST_LIMIT }),
      );
      const found = list.data.find(({ metadata }) => metadata?.[REFUND_KEY] === refundId);
      return found ? toRefund(found) : null;
    },
    async refundsSince(request) {
      const list = await api.ask(listOf(refund), "list refunds", (sdk) =>
        sdk.refunds.list({ ...pageAsked(request), expand: ["data.balance_transaction"] }),
      );
      return pageAnswered(list, toRefund);
    },
    disputeById: async (id) =>
      toDispute(await api.ask(dispute, "retrieve dispute", (sdk) => sdk.disputes.retrieve(id))),
    async disputesSince(request) {
      const list = await api.ask(listOf(dispute), "list disputes", (sdk) =>
        sdk.disputes.list(pageAsked(request)),
      );
      return pageAnswered(list, toDispute);
    },
  } satisfies Partial<PaymentProvider>;
}

/**
 * The parameters of a list page, newest first: objects created since, after the last one of the
 * previous page. Source: Stripe's API reference, "Pagination".
 */
const pageAsked = ({ since, cursor }: ListRequest) => ({
  created: { gte: Math.floor(since / 1_000) },
  limit: LIST_LIMIT,
  ...(cursor ? { starting_after: cursor } : {}),
});

/** Objects in another currency are not ours. */
const pageAnswered = <Answer extends { id: string; currency: string }, Item>(
  list: { data: Answer[]; has_more: boolean },
  item: (answer: Answer) => Item,
) => ({
  items: list.data.filter(isInReais).map(item),
  next: list.has_more ? (list.data.at(-1)?.id ?? null) : null,
});

const lacks = (capability: Capability) => async (): Promise<never> => {
  throw new ProviderUnsupported(capability);
};

function withoutRecurringPix() {
  const no = lacks("recurring_pix");
  return {
    createRecurringPix: no,
    recurringPixById: no,
    recurringPixByReference: no,
    recurringPixSince: no,
    cancelRecurringPix: no,
    chargeRecurringPix: no,
    instructionsOf: no,
    instructionById: no,
    retryInstruction: no,
  } satisfies Partial<PaymentProvider>;
}

function withoutTransfers() {
  const no = lacks("transfer_to_pix_key");
  return {
    transfer: no,
    transferById: no,
    transferByReference: no,
    transfersSince: no,
    pixKeyOwner: lacks("pix_key_owner"),
  } satisfies Partial<PaymentProvider>;
}
