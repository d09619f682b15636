import type { AccessRule } from "#app/domain/access/rules.ts";
import type { EventAccess, EventStatus } from "#app/domain/events/rules.ts";
import { eventMomentText } from "#app/domain/events/times/rules.ts";
import { embeddedVideo } from "#app/domain/media/rules/videos.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";

type RecordedEvent = {
  title: string;
  description: string;
  link: string | null;
  startsAt: Instant;
  endsAt: Instant;
  timeZone: string;
  status: EventStatus;
  access: EventAccess;
  planIds: readonly string[];
  /** The price of the cheapest ticket; null or 0 for a free event. */
  priceFromCents: Cents | null;
};

/** The text of the post with an event's recording. */
export type Recording = { title: string; content: string; rules: AccessRule[] };

/**
 * Returns whether an event has a recording to publish: it took place, and its link is a video that
 * stays at its address and that posts can show (YouTube, Vimeo).
 */
export const hasRecording = (
  { link, endsAt, status }: Pick<RecordedEvent, "link" | "endsAt" | "status">,
  now: Instant,
): boolean =>
  status === "published" && endsAt <= now && link !== null && embeddedVideo(link) !== null;

/**
 * Writes the post of an event's recording: the video above the event's text, for who could come.
 * That of a paid event is sold for the price of its cheapest ticket. A title over `titleMax`
 * letters is the event's alone. Null without a recording.
 */
export function recordingOf(
  event: RecordedEvent,
  { now, titleMax }: { now: Instant; titleMax: number },
): Recording | null {
  if (!hasRecording(event, now)) return null;
  const title = `Gravação: ${event.title}`;
  const moment = eventMomentText(event.startsAt, event.timeZone);
  return {
    title: title.length > titleMax ? event.title : title,
    content: [`Ao vivo em ${moment}.`, event.link, event.description].filter(Boolean).join("\n\n"),
    rules: rulesOf(event),
  };
}

function rulesOf({ access, planIds, priceFromCents }: RecordedEvent): AccessRule[] {
  const open = { planId: null, amountCents: null, opensAt: null };
  if (priceFromCents) return [{ ...open, kind: "price", amountCents: priceFromCents }];
  if (access === "plans") return planIds.map((planId) => ({ ...open, kind: "plan", planId }));
  return [{ ...open, kind: access }];
}

/** Says for whom the post of a recording is, after "publicação". */
export function recordingAudience({
  access,
  priceFromCents,
}: Pick<RecordedEvent, "access" | "priceFromCents">): string {
  if (priceFromCents) return `à venda por ${formatMoney(priceFromCents)}`;
  return {
    public: "para todo mundo",
    followers: "para quem segue",
    subscribers: "para quem assina",
    plans: "para quem assina os planos do evento",
  }[access];
}
