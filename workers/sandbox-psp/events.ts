import { and, asc, eq, lte } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import type { DbStatement } from "#app/db/client.server.ts";
import { randomId, consumeSwitch } from "./psp.ts";
import type { Psp } from "./psp.ts";
import { deliveries, events } from "./tables.ts";
import type { EventRow } from "./tables.ts";

/** Each failed attempt waits longer before the next; after the last the delivery is abandoned. */
export const retryDelaysSeconds = [5, 30, 120, 600, 1_800, 7_200, 21_600, 86_400] as const;

const REORDER_PILE_MS = 1_500;
/** The claims of a killed process expire after this; longer than one attempt can take. */
const CLAIM_MS = 15_000;
const DELIVERY_TIMEOUT_MS = 10_000;
const DELIVERIES_A_RUN = 200;

/** Returns the statements that record an event and its webhook, for the batch of the change. */
export async function eventStatements(
  psp: Psp,
  type: string,
  object: EventRow["object"],
  objectId: string,
): Promise<DbStatement[]> {
  const id = randomId("evt");
  const createdAt = psp.realNow();
  const body = JSON.stringify({
    type,
    timestamp: new Date(createdAt).toISOString(),
    data: { object, id: objectId },
  });
  const event = psp.db.insert(events).values({ id, type, object, objectId, body, createdAt });
  if (!psp.announces) return [event];
  const isDropped = await consumeSwitch(psp, "drop");
  const waitMs = psp.chaos.delay_ms + (psp.chaos.reorder ? REORDER_PILE_MS : 0);
  const delivery = (eventId: string, state: "waiting" | "dropped" = "waiting") =>
    psp.db
      .insert(deliveries)
      .values({ eventId, state, nextAttemptAt: createdAt + waitMs, createdAt });
  if (isDropped) return [event, delivery(id, "dropped")];
  const copies = Array.from({ length: 1 + psp.chaos.duplicate }, () => delivery(id));
  const stale = psp.chaos.stale_replay ? await firstEventOf(psp, objectId) : undefined;
  return [event, ...copies, ...(stale ? [delivery(stale.id)] : [])];
}

async function firstEventOf(psp: Psp, objectId: string): Promise<EventRow | undefined> {
  const [first] = await psp.db
    .select()
    .from(events)
    .where(eq(events.objectId, objectId))
    .orderBy(asc(events.createdAt))
    .limit(1);
  return first;
}

/** Sends an old event again with a new signature. */
export async function replayEvent(psp: Psp, eventId: string): Promise<void> {
  const at = psp.realNow();
  await psp.db
    .insert(deliveries)
    .values({ eventId, state: "waiting", nextAttemptAt: at, createdAt: at });
}

/** Makes a pending, dropped or abandoned delivery due now. */
export async function retryWebhookDelivery(psp: Psp, deliveryId: number): Promise<void> {
  await psp.db
    .update(deliveries)
    .set({ state: "waiting", nextAttemptAt: psp.realNow() })
    .where(eq(deliveries.id, deliveryId));
}

/**
 * Sends the due webhooks, oldest first (newest first while reordering). Returns how many were
 * attempted.
 */
export async function sendDueWebhooks(psp: Psp): Promise<number> {
  const { FRONT } = psp.env;
  if (!FRONT) return 0;
  const due = await psp.db
    .select()
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .where(and(eq(deliveries.state, "waiting"), lte(deliveries.nextAttemptAt, psp.realNow())))
    .orderBy(asc(deliveries.id))
    .limit(DELIVERIES_A_RUN);
  const ordered = psp.chaos.reorder ? due.toReversed() : due;
  let attempted = 0;
  for (const { deliveries: delivery, events: event } of ordered) {
    if (!(await claim(psp, delivery.id, delivery.attempts))) continue;
    attempted += 1;
    const answer = await post(psp, FRONT, event);
    await settle(psp, delivery.id, delivery.attempts + 1, answer);
  }
  return attempted;
}

/** Claims an attempt, so that two parallel runs never send the same one. */
async function claim(psp: Psp, deliveryId: number, attempts: number): Promise<boolean> {
  const claimed = await psp.db
    .update(deliveries)
    .set({ attempts: attempts + 1, nextAttemptAt: psp.realNow() + CLAIM_MS })
    .where(
      and(
        eq(deliveries.id, deliveryId),
        eq(deliveries.state, "waiting"),
        eq(deliveries.attempts, attempts),
      ),
    )
    .returning({ id: deliveries.id });
  return claimed.length === 1;
}

async function post(
  psp: Psp,
  front: NonNullable<Psp["env"]["FRONT"]>,
  event: EventRow,
): Promise<{ ok: boolean; text: string }> {
  const sentAt = new Date(psp.realNow());
  // Not `AbortSignal.timeout`, whose timer outlives the response. A clock moved by years sends
  // thousands in one request.
  const patience = new AbortController();
  const timer = setTimeout(
    () => patience.abort(new DOMException("no answer", "TimeoutError")),
    DELIVERY_TIMEOUT_MS,
  );
  const request = new Request(new URL("/webhooks/sandbox", psp.env.APP_ORIGIN), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": event.id,
      "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1_000)),
      "webhook-signature": new Webhook(psp.env.SANDBOX_WEBHOOK_SECRET.split(" ")[0] ?? "").sign(
        event.id,
        sentAt,
        event.body,
      ),
    },
    body: event.body,
    signal: patience.signal,
  });
  try {
    const response = await front.fetch(request);
    await response.arrayBuffer();
    return { ok: response.ok, text: String(response.status) };
  } catch (error) {
    return { ok: false, text: error instanceof Error ? error.name : "error" };
  } finally {
    clearTimeout(timer);
  }
}

async function settle(
  psp: Psp,
  deliveryId: number,
  attempts: number,
  answer: { ok: boolean; text: string },
): Promise<void> {
  const at = psp.realNow();
  const delaySeconds = retryDelaysSeconds[attempts - 1];
  const next = answer.ok
    ? { state: "delivered" as const, deliveredAt: at }
    : delaySeconds === undefined
      ? { state: "abandoned" as const }
      : { nextAttemptAt: at + delaySeconds * 1_000 };
  await psp.db
    .update(deliveries)
    .set({ ...next, lastAnswer: answer.text })
    .where(eq(deliveries.id, deliveryId));
}
