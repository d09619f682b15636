import type Stripe from "stripe";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import type {
  ChargeRequest,
  PaymentProvider,
  ProviderCharge,
} from "#app/domain/payments/schema.ts";
import { isInReais, listOf, paymentIntent, paymentIntentMade } from "./answers.ts";
import { orDeclined } from "./client.server.ts";
import type { StripeApi } from "./client.server.ts";
import { CHARGE_KEY, toCharge } from "./from-answers.ts";
import { hostedCharge, isSession, pageById, pageConfirmed, pageLetGo } from "./pages.server.ts";
import { keeperOf, resolvedMethod } from "./saved-cards.server.ts";

const LIST_LIMIT = 100;
/** The parts of a charge that are read: its refunds, its cost and its settlement time. */
const EXPAND = ["latest_charge.balance_transaction"];

type CardRequest = Parameters<PaymentProvider["createCardCharge"]>[0];

/**
 * Implements charges as PaymentIntents, created and confirmed in one call. A card typed on Stripe's
 * page is a Checkout Session.
 */
export function stripeCharges(api: StripeApi) {
  return {
    createPixCharge: (request) =>
      made(api, request, {
        allowed_payment_method_types: ["pix"],
        payment_method_data: { type: "pix", billing_details: billingDetails(request) },
        payment_method_options: { pix: { expires_at: Math.floor(request.expiresAt / 1_000) } },
      }),
    createCardCharge: (request) => {
      if (request.savedMethodId) return savedCardCharge(api, request, request.savedMethodId);
      return request.cardToken
        ? tokenCharge(api, request, request.cardToken)
        : hostedCharge(api, request);
    },
    confirmCharge: ({ id, returnUrl }) => confirmed(api, id, returnUrl),
    chargeById: (id) => chargeById(api, id),
    async chargeByReference(chargeId) {
      const query = `metadata['${CHARGE_KEY}']:'${chargeId.replace(/[^\w-]/g, "")}'`;
      const found = await api.ask(listOf(paymentIntent), "search payment_intents", (sdk) =>
        sdk.paymentIntents.search({
          query,
          limit: 1,
          expand: EXPAND.map((path) => `data.${path}`),
        }),
      );
      return found.data[0] ? toCharge(found.data[0]) : null;
    },
    async chargesSince({ since, cursor }) {
      const list = await api.ask(listOf(paymentIntent), "list payment_intents", (sdk) =>
        sdk.paymentIntents.list({
          created: { gte: Math.floor(since / 1_000) },
          limit: LIST_LIMIT,
          expand: EXPAND.map((path) => `data.${path}`),
          ...(cursor ? { starting_after: cursor } : {}),
        }),
      );
      return {
        items: list.data.filter(isInReais).map(toCharge),
        next: list.has_more ? (list.data.at(-1)?.id ?? null) : null,
      };
    },
    cancelCharge: (id) => canceled(api, id),
  } satisfies Partial<PaymentProvider>;
}

const chargeKey = (request: ChargeRequest) => ({ idempotencyKey: `charge-${request.chargeId}` });

/** Creates and confirms in one call. */
async function made(
  api: StripeApi,
  request: ChargeRequest,
  how: Partial<Stripe.PaymentIntentCreateParams>,
): Promise<ProviderCharge> {
  const params: Stripe.PaymentIntentCreateParams = {
    amount: request.amountCents,
    currency: "brl",
    confirm: true,
    description: request.description.slice(0, 200),
    metadata: { [CHARGE_KEY]: request.chargeId },
    expand: EXPAND,
    ...how,
  };
  return toCharge(
    await api.ask(paymentIntentMade, "create payment_intent", (sdk) =>
      orDeclined("payment_intent", sdk.paymentIntents.create(params, chargeKey(request))),
    ),
  );
}

/** `token` is a ConfirmationToken of the Payment Element, or the id of a PaymentMethod. */
async function tokenCharge(
  api: StripeApi,
  request: CardRequest,
  token: string,
): Promise<ProviderCharge> {
  const keeper = request.saveMethod
    ? await keeperOf(
        api,
        `charge-${request.chargeId}`,
        request.payerName,
        request.payerEmail ?? null,
      )
    : null;
  return made(api, request, {
    allowed_payment_method_types: ["card"],
    ...(token.startsWith("ctoken_") ? { confirmation_token: token } : { payment_method: token }),
    return_url: request.returnUrl,
    ...(keeper ? { customer: keeper, setup_future_usage: "off_session" as const } : {}),
  });
}

async function savedCardCharge(
  api: StripeApi,
  request: CardRequest,
  savedMethodId: string,
): Promise<ProviderCharge> {
  const { customerId, paymentMethodId } = await resolvedMethod(api, savedMethodId);
  return made(api, request, {
    allowed_payment_method_types: ["card"],
    customer: customerId,
    payment_method: paymentMethodId,
    ...(request.isPayerThere ? { return_url: request.returnUrl } : { off_session: true }),
  });
}

async function chargeById(api: StripeApi, id: string): Promise<ProviderCharge> {
  return isSession(id) ? await pageById(api, id) : toCharge(await intentById(api, id));
}

function intentById(api: StripeApi, id: string) {
  return api.ask(paymentIntent, "retrieve payment_intent", (sdk) =>
    sdk.paymentIntents.retrieve(id, { expand: EXPAND }),
  );
}

/**
 * Confirms an open charge with its owner present; a renewal that failed without them is confirmed
 * again with the same card.
 */
async function confirmed(api: StripeApi, id: string, returnUrl: string): Promise<ProviderCharge> {
  if (isSession(id)) return pageConfirmed(api, id, returnUrl);
  const intent = await intentById(api, id);
  const charge = toCharge(intent);
  if (charge.status !== "requires_action" || charge.nextActionUrl !== null) return charge;
  const again = intent.last_payment_error?.payment_method?.id ?? intent.payment_method;
  const params: Stripe.PaymentIntentConfirmParams = {
    return_url: returnUrl,
    expand: EXPAND,
    ...(again ? { payment_method: again } : {}),
  };
  return toCharge(
    await api.ask(paymentIntent, "confirm payment_intent", (sdk) =>
      orDeclined("payment_intent", sdk.paymentIntents.confirm(id, params)),
    ),
  );
}

/** Cancels an open charge. A closed one stays as it is; a paid one must be refunded instead. */
async function canceled(api: StripeApi, id: string): Promise<ProviderCharge> {
  if (isSession(id)) return await pageLetGo(api, id);
  const charge = toCharge(await intentById(api, id));
  if (charge.status === "succeeded") throw new ProviderRefused("charge_already_paid");
  if (charge.status === "canceled" || charge.status === "expired") return charge;
  return toCharge(
    await api.ask(paymentIntent, "cancel payment_intent", (sdk) =>
      sdk.paymentIntents.cancel(charge.id, { expand: EXPAND }),
    ),
  );
}

function billingDetails({ payerName, payerEmail, payerTaxId }: ChargeRequest) {
  return {
    name: payerName.slice(0, 200),
    ...(payerEmail ? { email: payerEmail } : {}),
    ...(payerTaxId ? { tax_id: payerTaxId } : {}),
  };
}
