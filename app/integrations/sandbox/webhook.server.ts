import { Webhook } from "standardwebhooks";
import { WebhookRefused } from "#app/domain/payments/errors.ts";
import type { ProviderEvent } from "#app/domain/payments/schema.ts";
import { webhookBody } from "./answers.ts";

const OBJECT_TYPES = [
  "charge",
  "refund",
  "transfer",
  "dispute",
  "recurring_pix",
  "instruction",
] as const;

/**
 * Verifies a webhook that is signed with any of `secrets` and whose timestamp is within 300 s of
 * real time (`standardwebhooks` reads the wall clock itself). Returns its event. Throws
 * WebhookRefused for everything else. The caller limits the body's size.
 */
export function verifySandboxWebhook(
  secrets: readonly string[],
  headers: Headers,
  rawBody: string,
): ProviderEvent {
  const signed = {
    "webhook-id": headers.get("webhook-id") ?? "",
    "webhook-timestamp": headers.get("webhook-timestamp") ?? "",
    "webhook-signature": headers.get("webhook-signature") ?? "",
  };
  if (!/^[\w-]{1,80}$/.test(signed["webhook-id"])) throw new WebhookRefused("no event id");
  const body = webhookBody.safeParse(verified(secrets, rawBody, signed));
  if (!body.success) throw new WebhookRefused("a body of another shape");
  const { object, id } = body.data.data;
  return {
    id: signed["webhook-id"],
    type: OBJECT_TYPES.find((type) => type === object) ?? "other",
    objectId: id,
  };
}

function verified(
  secrets: readonly string[],
  rawBody: string,
  signed: Record<string, string>,
): unknown {
  let cause: unknown;
  for (const secret of secrets) {
    try {
      return new Webhook(secret).verify(rawBody, signed);
    } catch (error) {
      cause = error;
    }
  }
  throw new WebhookRefused("signature", { cause });
}
