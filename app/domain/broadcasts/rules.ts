import type { RateLimit } from "#app/domain/rate-limits/schema.ts";
import { cleanMessageText, MESSAGE_MAX } from "#app/domain/messages/rules.ts";
import type { WritingSnapshot } from "#app/domain/messages/rules/writing.ts";
import { counted } from "#app/domain/text.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Who receives a broadcast. */
export const SEGMENTS = [
  "subscribers",
  "plans",
  "new",
  "past_due",
  "followers",
  "never_opened",
] as const;
export type Segment = (typeof SEGMENTS)[number];

export const BROADCAST_STATES = ["draft", "scheduled", "sending", "sent", "canceled"] as const;
export type BroadcastState = (typeof BROADCAST_STATES)[number];

/** Leaves room for names in the place of `{nome}`. */
export const BROADCAST_MAX = 3_500;
export const BROADCAST_PLANS_MAX = 20;
/** How long a subscriber counts as new. */
export const NEW_SUBSCRIBER_MS = 30 * DAY_MS;
/** The time between two broadcasts of one creator. */
export const BROADCAST_INTERVAL_MS = DAY_MS;
/** How far ahead a broadcast can be scheduled. */
const FURTHEST_SEND_MS = 90 * DAY_MS;
/** Recipients of one page: one batch. Their longest texts together stay below D1's 2 MB a value. */
export const BROADCAST_PAGE = 100;
/** Recipients that one notification message names; each costs its delivery a few statements. */
export const BROADCAST_NOTIFIED_TOGETHER = 25;
/** How long a page may wait in the queue before it is queued again. */
export const BROADCAST_LEASE_MS = 2 * MINUTE_MS;

export const BROADCAST_LIMITS: readonly RateLimit[] = [{ windowMs: HOUR_MS, limit: 30 }];

const NAME_FIELD = /\{nome\}/gi;

/**
 * Returns the text for one recipient: `{nome}` becomes the first word of their name. At most
 * MESSAGE_MAX characters long.
 */
export function personalText(body: string, name: string): string {
  const [first = ""] = name.trim().split(/\s+/);
  return cleanMessageText(body.replaceAll(NAME_FIELD, () => first)).slice(0, MESSAGE_MAX);
}

/** Returns whether `body` would become empty for somebody: then it is only their name. */
export const isOnlyName = (body: string): boolean =>
  cleanMessageText(body.replaceAll(NAME_FIELD, "")) === "";

/** What decides whether a recipient still gets the message. */
export type DeliverySnapshot = Pick<
  WritingSnapshot,
  "isSelf" | "isUnreachable" | "isBlocked" | "recipientBox"
>;

/**
 * Decides whether a person of the segment still gets the message. Skips who cannot be reached any
 * more, a block in either direction, and who refused the creator's conversation.
 */
export function canDeliver(snapshot: DeliverySnapshot): boolean {
  return (
    !snapshot.isSelf &&
    !snapshot.isUnreachable &&
    !snapshot.isBlocked &&
    snapshot.recipientBox !== "refused"
  );
}

/** Returns why `at` cannot be the time of a broadcast, or null. The current minute is allowed. */
export function sendTimeProblem(at: Instant, now: Instant): "past" | "far" | null {
  if (at < now - MINUTE_MS) return "past";
  return at > now + FURTHEST_SEND_MS ? "far" : null;
}

/** Whether it can still be changed: nobody has received it. */
export const isEditableState = (state: BroadcastState): boolean =>
  state === "draft" || state === "scheduled";

/** Whether it can still be canceled; a running one stops before its next page. */
export const isCancelableState = (state: BroadcastState): boolean =>
  isEditableState(state) || state === "sending";

export const SEGMENT_LABELS: Record<Segment, { label: string; hint: string }> = {
  subscribers: { label: "Todos os assinantes", hint: "Quem tem acesso agora." },
  plans: { label: "Assinantes de alguns planos", hint: "Escolha os planos abaixo." },
  new: { label: "Assinantes novos", hint: "Quem começou nos últimos 30 dias." },
  past_due: { label: "Com pagamento atrasado", hint: "A renovação não foi paga ainda." },
  followers: { label: "Seguidores", hint: "Todo mundo que segue a página." },
  never_opened: {
    label: "Assinantes que nunca abriram",
    hint: "Quem ainda não leu nenhuma mensagem sua.",
  },
};

export const STATE_LABELS: Record<BroadcastState, string> = {
  draft: "Rascunho",
  scheduled: "Agendada",
  sending: "Enviando",
  sent: "Enviada",
  canceled: "Cancelada",
};

export const peopleText = (count: number): string => counted(count, "pessoa", "pessoas");
