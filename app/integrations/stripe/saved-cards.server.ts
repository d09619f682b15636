import type Stripe from "stripe";
import type { z } from "zod";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import type { PaymentProvider, ProviderSavedMethod } from "#app/domain/payments/schema.ts";
import { customer, paymentMethod, setupIntent } from "./answers.ts";
import { orDeclined } from "./client.server.ts";
import type { StripeApi } from "./client.server.ts";

type SaveRequest = Parameters<PaymentProvider["saveMethod"]>[0];

/**
 * Implements saved cards. A saved method is `customer/payment_method` (saved by a payment), or a
 * SetupIntent (saved without one), which has both once confirmed.
 */
export function savingCards(api: StripeApi) {
  return {
    saveMethod: (request) => saved(api, request),
    savedMethodById: (id) => savedMethodById(api, id),
    async removeSavedMethod(id) {
      const before = await savedMethodById(api, id);
      if (before.status === "removed") return before;
      const { paymentMethodId } = await resolvedMethod(api, id);
      await api.ask(paymentMethod, "detach payment_method", (sdk) =>
        sdk.paymentMethods.detach(paymentMethodId),
      );
      return { ...before, status: "removed" };
    },
  } satisfies Partial<PaymentProvider>;
}

const isSetup = (id: string) => id.startsWith("seti_");

async function saved(api: StripeApi, request: SaveRequest): Promise<ProviderSavedMethod> {
  const keeper = await keeperOf(
    api,
    `method-${request.savedMethodId}`,
    request.payer.name,
    request.payer.email,
  );
  const params: Stripe.SetupIntentCreateParams = {
    confirm: true,
    usage: "off_session",
    customer: keeper,
    allowed_payment_method_types: ["card"],
    return_url: request.returnUrl,
    metadata: { coreto_method: request.savedMethodId },
    ...(request.cardToken.startsWith("ctoken_")
      ? { confirmation_token: request.cardToken }
      : { payment_method: request.cardToken }),
  };
  const setup = await api.ask(setupIntent, "create setup_intent", (sdk) =>
    orDeclined(
      "setup_intent",
      sdk.setupIntents.create(params, { idempotencyKey: `method-${request.savedMethodId}` }),
    ),
  );
  return described(api, setup);
}

/** Creates one customer for each saved card, once under our key. */
export async function keeperOf(
  api: StripeApi,
  key: string,
  name: string,
  email: string | null,
): Promise<string> {
  const params = { name: name.slice(0, 200), ...(email ? { email } : {}) };
  return (
    await api.ask(customer, "create customer", (sdk) =>
      sdk.customers.create(params, { idempotencyKey: `customer-${key}` }),
    )
  ).id;
}

async function savedMethodById(api: StripeApi, id: string): Promise<ProviderSavedMethod> {
  if (isSetup(id)) return described(api, await setupById(api, id));
  const [customerId = "", paymentMethodId = ""] = id.split("/", 2);
  return {
    id,
    nextActionUrl: null,
    failureCode: null,
    ...(await cardOf(api, customerId, paymentMethodId)),
  };
}

const setupById = (api: StripeApi, id: string) =>
  api.ask(setupIntent, "retrieve setup_intent", (sdk) => sdk.setupIntents.retrieve(id));

async function described(
  api: StripeApi,
  setup: z.infer<typeof setupIntent>,
): Promise<ProviderSavedMethod> {
  const common = { id: setup.id, brand: null, last4: null, nextActionUrl: null, failureCode: null };
  if (setup.status === "succeeded" && setup.customer && setup.payment_method)
    return { ...common, ...(await cardOf(api, setup.customer, setup.payment_method)) };
  if (
    setup.status === "requires_action" ||
    setup.status === "requires_confirmation" ||
    setup.status === "processing"
  ) {
    return {
      ...common,
      status: "requires_action",
      nextActionUrl: setup.next_action?.redirect_to_url?.url ?? null,
    };
  }
  const failure = setup.last_setup_error;
  return {
    ...common,
    status: "failed",
    failureCode: failure?.decline_code ?? failure?.code ?? "setup_failed",
  };
}

/** Loads a saved card. One that its customer no longer has counts as removed, whoever did it. */
async function cardOf(
  api: StripeApi,
  customerId: string,
  paymentMethodId: string,
): Promise<Pick<ProviderSavedMethod, "status" | "brand" | "last4">> {
  const method = await api.ask(paymentMethod, "retrieve payment_method", (sdk) =>
    sdk.paymentMethods.retrieve(paymentMethodId),
  );
  return {
    status: method.customer === customerId ? "ready" : "removed",
    brand: method.card?.brand ?? null,
    last4: method.card?.last4 ?? null,
  };
}

/** The customer and the card of a saved method. Refuses one that was never confirmed. */
export async function resolvedMethod(
  api: StripeApi,
  id: string,
): Promise<{ customerId: string; paymentMethodId: string }> {
  const [customerId, paymentMethodId] = isSetup(id)
    ? await confirmedSetup(api, id)
    : id.split("/", 2);
  if (!customerId || !paymentMethodId) throw new ProviderRefused("saved_method_invalid");
  return { customerId, paymentMethodId };
}

async function confirmedSetup(api: StripeApi, id: string): Promise<(string | undefined)[]> {
  const setup = await setupById(api, id);
  return setup.status === "succeeded"
    ? [setup.customer ?? undefined, setup.payment_method ?? undefined]
    : [];
}
