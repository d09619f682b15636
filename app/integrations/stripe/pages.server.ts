import type Stripe from "stripe";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import type { ChargeRequest, ProviderCharge } from "#app/domain/payments/schema.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { checkoutSession, checkoutSessionMade, checkoutSessionWhole } from "./answers.ts";
import type { StripeApi } from "./client.server.ts";
import { CHARGE_KEY, isPageOver, toHostedCharge, UNTIL_KEY } from "./from-answers.ts";

/**
 * Stripe's limits on the expiry of a page, from the request on; by default it is the longest.
 * Source: Stripe's API reference, "Create a Checkout Session" (expires_at).
 */
const SHORTEST_PAGE_MS = 30 * MINUTE_MS;
const LONGEST_PAGE_MS = DAY_MS;
/** Allows for a request's duration and clock differences. */
const MARGIN_MS = HOUR_MS;
/**
 * How much longer a page lasts than our charge: a checkout lives as long as the shortest page,
 * counted from its row. Our expiry applies: an overdue charge is expired there.
 */
const PAGE_OUTLIVES_MS = 15 * MINUTE_MS;

export const isSession = (id: string) => id.startsWith("cs_");

type Page = Pick<ChargeRequest, "chargeId" | "amountCents" | "description"> & {
  expiresAt: Instant;
  saveMethod: boolean;
  returnUrl: string;
};

/** Creates a charge on a page of Stripe's, a Checkout Session. */
export async function hostedCharge(api: StripeApi, page: Page): Promise<ProviderCharge> {
  return await opened(api, page, `charge-${page.chargeId}`);
}

/**
 * Opens the page with the same parameters for every caller of one key: the expiry is omitted rather
 * than computed from now.
 */
async function opened(
  api: StripeApi,
  { chargeId, amountCents, description: fullDescription, expiresAt, saveMethod, returnUrl }: Page,
  idempotencyKey: string,
): Promise<ProviderCharge> {
  const [now, endsAt, description] = [
    Date.now(),
    expiresAt + PAGE_OUTLIVES_MS,
    fullDescription.slice(0, 200),
  ];
  const isWithinBounds =
    endsAt >= now + SHORTEST_PAGE_MS && endsAt <= now + LONGEST_PAGE_MS - MARGIN_MS;
  const params: Stripe.Checkout.SessionCreateParams = {
    mode: "payment",
    ...(isWithinBounds ? { expires_at: Math.ceil(endsAt / 1_000) } : {}),
    ui_mode: "hosted_page",
    locale: "pt-BR",
    allowed_payment_method_types: ["card"],
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: "brl",
          unit_amount: amountCents,
          product_data: { name: description },
        },
      },
    ],
    client_reference_id: chargeId,
    metadata: { [CHARGE_KEY]: chargeId, [UNTIL_KEY]: String(Math.floor(expiresAt / 1_000)) },
    payment_intent_data: {
      description,
      metadata: { [CHARGE_KEY]: chargeId },
      ...(saveMethod ? { setup_future_usage: "off_session" as const } : {}),
    },
    ...(saveMethod ? { customer_creation: "always" as const } : {}),
    success_url: returnUrl,
    cancel_url: returnUrl,
  };
  return toHostedCharge(
    await api.ask(checkoutSessionMade, "create session", (sdk) =>
      sdk.checkout.sessions.create(params, { idempotencyKey }),
    ),
    now,
  );
}

const EXPAND = ["payment_intent", "payment_intent.latest_charge.balance_transaction"];

const readPage = (api: StripeApi, id: string) =>
  api.ask(checkoutSession, "retrieve session", (sdk) =>
    sdk.checkout.sessions.retrieve(id, { expand: EXPAND }),
  );

export const pageById = async (api: StripeApi, id: string): Promise<ProviderCharge> =>
  toHostedCharge(await readPage(api, id), Date.now());

/**
 * The page of a charge for a returning payer. INVARIANT: at most one page of a charge can be paid.
 * Another is created, once, only if it expired before the charge did.
 */
export async function pageConfirmed(
  api: StripeApi,
  id: string,
  returnUrl: string,
): Promise<ProviderCharge> {
  const page = await api.ask(checkoutSessionWhole, "retrieve session", (sdk) =>
    sdk.checkout.sessions.retrieve(id, { expand: [...EXPAND, "line_items"] }),
  );
  if (!isPageOver(page, Date.now())) return toHostedCharge(page, Date.now());
  const chargeId = page.metadata[CHARGE_KEY] ?? "";
  const [{ description }] = page.line_items.data;
  const again = {
    chargeId,
    amountCents: page.amount_total ?? 0,
    description,
    expiresAt: Number(page.metadata[UNTIL_KEY]) * 1_000,
    saveMethod: page.customer_creation === "always",
    returnUrl,
  };
  return await opened(api, again, `charge-${chargeId}-after-${id}`);
}

/** Expires the page of an abandoned charge, whatever its state. */
export async function pageLetGo(api: StripeApi, id: string): Promise<ProviderCharge> {
  const page = await readPage(api, id);
  const providerCharge = toHostedCharge(page, Date.now());
  if (providerCharge.status === "succeeded") throw new ProviderRefused("charge_already_paid");
  if (page.status !== "open")
    return {
      ...providerCharge,
      status: providerCharge.status === "processing" ? "processing" : "expired",
    };
  return toHostedCharge(
    await api.ask(checkoutSession, "expire session", (sdk) => sdk.checkout.sessions.expire(id)),
    Date.now(),
  );
}
