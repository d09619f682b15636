import { WebhookRefused } from "#app/domain/payments/errors.ts";
import type { ProviderEvent } from "#app/domain/payments/schema.ts";
import { jsonOf, sameSecret } from "#app/integrations/provider-http.server.ts";
import type { z } from "zod";
import { eventBody } from "./answers.ts";

/**
 * Verifies that a webhook carries any of `tokens`, compared in constant time, and returns its
 * event. Asaas signs nothing and stops its queue after 15 answers other than 200. So everything
 * with the token is accepted: an unreadable event is `other`, stored for staff under the digest of
 * its body. Throws WebhookRefused without the token.
 */
export async function verifyAsaasWebhook(
  tokens: readonly string[],
  { headers, rawBody }: { headers: Headers; rawBody: string },
): Promise<ProviderEvent> {
  const given = headers.get("asaas-access-token") ?? "";
  const same = await Promise.all(tokens.map((token) => sameSecret(given, token)));
  if (given === "" || !same.includes(true)) throw new WebhookRefused("token");
  const body = eventBody.safeParse(jsonOf(rawBody));
  const id = body.data?.id ?? (await digestOf(rawBody));
  return {
    id,
    ...(body.success ? aboutOf(body.data) : { type: "other" as const, objectId: "unreadable" }),
  };
}

function aboutOf({
  event,
  payment,
  transfer,
  authorization,
  paymentInstruction,
}: z.infer<typeof eventBody>): Pick<ProviderEvent, "type" | "objectId"> {
  if (payment)
    return { type: /CHARGEBACK/.test(event) ? "dispute" : "charge", objectId: payment.id };
  if (transfer) return { type: "transfer", objectId: transfer.id };
  if (authorization && event.startsWith("PIX_AUTOMATIC_"))
    return { type: "recurring_pix", objectId: authorization.id };
  if (paymentInstruction) return { type: "instruction", objectId: paymentInstruction.id };
  return { type: "other", objectId: event };
}

async function digestOf(text: string): Promise<string> {
  const bytes = new Uint8Array(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)),
  );
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
