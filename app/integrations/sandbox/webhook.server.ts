import { Webhook } from "standardwebhooks";
import { WebhookRefused } from "#app/domain/payments/errors.ts";
import type { ProviderEvent } from "#app/domain/payments/schema.ts";
import { webhookBody } from "./answers.ts";

/**
 * The event of a delivery whose signature is right and whose timestamp is within 300 s of real time (`standardwebhooks` reads
 * the wall clock itself). Throws WebhookRefused for everything else. The caller bounds the body's size.
 */
export function verifySandboxWebhook(secret: string, headers: Headers, rawBody: string): ProviderEvent {
  const signed = {
    "webhook-id": headers.get("webhook-id") ?? "",
    "webhook-timestamp": headers.get("webhook-timestamp") ?? "",
    "webhook-signature": headers.get("webhook-signature") ?? "",
  };
  if (!/^[\w-]{1,80}$/.test(signed["webhook-id"])) throw new WebhookRefused("no event id");
  const body = webhookBody.safeParse(verified(secret, rawBody, signed));
  if (!body.success) throw new WebhookRefused("a body of another shape");
  return { id: signed["webhook-id"], type: body.data.data.object, objectId: body.data.data.id };
}

function verified(secret: string, rawBody: string, signed: Record<string, string>): unknown {
  try {
    return new Webhook(secret).verify(rawBody, signed);
  } catch (error) {
    throw new WebhookRefused("signature", { cause: error });
  }
}
