import Stripe from "stripe";
import { WebhookRefused } from "#app/domain/payments/errors.ts";
import type { ProviderEvent } from "#app/domain/payments/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { jsonOf } from "#app/integrations/provider-http.server.ts";
import { eventBody } from "./answers.ts";

const TOLERANCE_SECONDS = 300;

/**
 * Verifies a webhook that Stripe signed with any of `secrets` at most 300 s ago, with the SDK and
 * SubtleCrypto. Returns its event. Throws WebhookRefused for everything else. The caller limits the
 * body's size.
 */
export async function verifyStripeWebhook(
  secrets: readonly string[],
  { headers, rawBody, at }: { headers: Headers; rawBody: string; at: Instant },
): Promise<ProviderEvent> {
  await refuseForged(secrets, { signature: headers.get("stripe-signature") ?? "", rawBody, at });
  const body = eventBody.safeParse(jsonOf(rawBody));
  if (!body.success) throw new WebhookRefused("a body of another shape");
  const { id, type, data } = body.data;
  return { id, ...aboutOf(type, data.object) };
}

async function refuseForged(
  secrets: readonly string[],
  { signature, rawBody, at }: { signature: string; rawBody: string; at: Instant },
): Promise<void> {
  const crypto = Stripe.createSubtleCryptoProvider();
  let cause: unknown;
  for (const secret of secrets) {
    try {
      await Stripe.webhooks.constructEventAsync(
        rawBody,
        signature,
        secret,
        TOLERANCE_SECONDS,
        crypto,
        at,
      );
      return;
    } catch (error) {
      cause = error;
    }
  }
  throw new WebhookRefused("signature", { cause });
}

/** Finds which of our objects an event is about, by the kind of its Stripe object. */
function aboutOf(
  type: string,
  object: { id?: string | undefined; object: string; payment_intent?: string | null | undefined },
): Pick<ProviderEvent, "type" | "objectId"> {
  const objectId = object.id ?? "";
  if (object.object === "payment_intent") return { type: "charge", objectId };
  if (object.object === "checkout.session" || object.object === "charge")
    return { type: "charge", objectId: object.payment_intent ?? objectId };
  if (object.object === "refund") return { type: "refund", objectId };
  if (object.object === "dispute") return { type: "dispute", objectId };
  return { type: "other", objectId: `${type} ${objectId}`.slice(0, 200) };
}
