import { buildPushPayload } from "@block65/webcrypto-web-push";
import type { PushSender } from "#app/domain/notifications/schema/senders.ts";

type Options = {
  publicKey: string;
  privateKey: string;
  /** Whom a push service may ask about our pushes: a `mailto:` address. */
  subject: string;
  fetch?: typeof fetch;
};

/** How long a push service keeps a push for a device that is off, in seconds. */
const TTL_SECONDS = 24 * 60 * 60;
const TIMEOUT_MS = 3_000;
/** The device unsubscribed, or its browser is gone. Source: RFC 8030, section 7.3. */
const GONE = new Set([404, 410]);

/**
 * Sends pushes to the browsers' push services, encrypted for the device (RFC 8291) and signed as
 * ours (RFC 8292). Throws PushNotSent for an answer that a later attempt may change.
 */
export function webPush({ fetch: ask = fetch, ...vapid }: Options): PushSender {
  return {
    async send({ device: { endpoint, p256dh, auth }, payload }) {
      const { headers, method, body } = await buildPushPayload(
        { data: JSON.stringify(payload), options: { ttl: TTL_SECONDS, urgency: "normal" } },
        { endpoint, expirationTime: null, keys: { p256dh, auth } },
        vapid,
      );
      const answer = await ask(endpoint, {
        method,
        headers,
        body,
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.body?.cancel();
      if (GONE.has(answer.status)) return "gone";
      if (!answer.ok) throw new PushNotSent(answer.status);
      return "sent";
    },
  };
}

/** Contains only the status: the address of a device is its secret. */
export class PushNotSent extends Error {
  constructor(status: number) {
    super(`push not sent: ${status}`);
  }
}
