import type { EventStatus } from "#app/domain/events/rules.ts";
import { embeddedVideo, playerUrl } from "#app/domain/media/rules/videos.ts";
import type { Video } from "#app/domain/media/rules/videos.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** A live video that our page can show. `hash` opens an unlisted one at Vimeo. */
export type LiveVideo =
  | Video
  | { provider: "vimeo_event"; id: string; hash: string | null }
  | { provider: "vimeo_unlisted"; id: string; hash: string }
  | { provider: "twitch"; id: string }
  | { provider: "twitch_video"; id: string };

/** How long before the start the video and its chat open. */
const OPENS_BEFORE_MS = 15 * MINUTE_MS;

export const PROVIDER_NAMES: Record<LiveVideo["provider"], string> = {
  youtube: "YouTube",
  vimeo: "Vimeo",
  vimeo_event: "Vimeo",
  vimeo_unlisted: "Vimeo",
  twitch: "Twitch",
  twitch_video: "Twitch",
};

const VIMEO_HOSTS = new Set(["vimeo.com", "www.vimeo.com"]);
const TWITCH_HOSTS = new Set(["twitch.tv", "www.twitch.tv", "m.twitch.tv"]);
const DIGITS = /^\d{4,12}$/;
const VIMEO_HASH = /^[0-9a-f]{8,12}$/;
const TWITCH_CHANNEL = /^\w{3,25}$/;
/** Pages of Twitch that look like channels. */
const TWITCH_PAGES = new Set(
  "directory downloads drops inventory jobs login p search settings signup store subscriptions team turbo videos wallet".split(
    " ",
  ),
);

/** Returns the video of an event's link, if YouTube, Vimeo or Twitch shows it; null otherwise. */
export function liveVideo(link: string | null): LiveVideo | null {
  const url = link === null ? null : URL.parse(link);
  if (link === null || url?.protocol !== "https:" || url.port !== "" || url.username !== "")
    return null;
  const path = url.pathname.split("/").filter(Boolean);
  if (VIMEO_HOSTS.has(url.hostname)) return vimeoVideo(link, path);
  return TWITCH_HOSTS.has(url.hostname) ? twitchVideo(path) : embeddedVideo(link);
}

function vimeoVideo(link: string, [first = "", second, third]: string[]): LiveVideo | null {
  const isHash = (text: string | undefined) => text !== undefined && VIMEO_HASH.test(text);
  if (first === "event" && second !== undefined && DIGITS.test(second)) {
    if (third !== undefined && !isHash(third)) return null;
    return { provider: "vimeo_event", id: second, hash: third ?? null };
  }
  if (DIGITS.test(first) && second !== undefined && third === undefined)
    return isHash(second) ? { provider: "vimeo_unlisted", id: first, hash: second } : null;
  const hash = URL.parse(link)?.searchParams.get("h");
  if (DIGITS.test(first) && second === undefined && typeof hash === "string")
    return isHash(hash) ? { provider: "vimeo_unlisted", id: first, hash } : null;
  return embeddedVideo(link);
}

function twitchVideo([first = "", second, third]: string[]): LiveVideo | null {
  if (first === "videos" && second !== undefined && third === undefined)
    return DIGITS.test(second) ? { provider: "twitch_video", id: second } : null;
  const isChannel = second === undefined && TWITCH_CHANNEL.test(first);
  return isChannel && !TWITCH_PAGES.has(first.toLowerCase())
    ? { provider: "twitch", id: first.toLowerCase() }
    : null;
}

/** Returns the address of the provider's player. Twitch asks which host frames it (`parentHost`). */
export function livePlayerUrl(video: LiveVideo, parentHost: string): string {
  const twitch = (query: Record<string, string>) =>
    `https://player.twitch.tv/?${new URLSearchParams({ ...query, parent: parentHost, autoplay: "true" })}`;
  switch (video.provider) {
    case "youtube":
    case "vimeo":
      return playerUrl(video);
    case "vimeo_unlisted":
      return `https://player.vimeo.com/video/${video.id}?h=${video.hash}&autoplay=1&dnt=1`;
    case "vimeo_event":
      return `https://vimeo.com/event/${video.id}/embed${video.hash === null ? "" : `/${video.hash}`}?autoplay=1&dnt=1`;
    case "twitch":
      return twitch({ channel: video.id });
    case "twitch_video":
      return twitch({ video: video.id });
  }
}

/**
 * Returns from when the live page shows the video: 15 minutes before the start, and never before
 * the event's link is shown (`linkMinutes` before the start; null with the seat).
 */
export const liveOpensAt = (startsAt: Instant, linkMinutes: number | null): Instant =>
  startsAt - Math.min(OPENS_BEFORE_MS, (linkMinutes ?? Infinity) * MINUTE_MS);

/** Whether the video of an event opens later than `now`. A draft has none to show yet. */
export const isLiveEarly = ({ status, startsAt, linkMinutes }: LiveTimes, now: Instant): boolean =>
  status === "draft" || now < liveOpensAt(startsAt, linkMinutes);

type LiveTimes = {
  status: EventStatus;
  startsAt: Instant;
  /** How long before the start the link is shown; null for as soon as there is a seat. */
  linkMinutes: number | null;
};

/** What decides whether a person sees an event's video, and its chat. */
export type WatchableEvent = LiveTimes & {
  endsAt: Instant;
  mayWatch: boolean;
  hasVideo: boolean;
};

export type LiveState = "open" | "early" | "over" | "canceled" | "no_seat" | "no_video";

/** Decides what the live page shows at `now`: the video only to who may watch (`mayWatch`). */
export function liveState(event: WatchableEvent, now: Instant): LiveState {
  if (event.status === "canceled") return "canceled";
  if (!event.mayWatch) return event.endsAt <= now ? "over" : "no_seat";
  if (!event.hasVideo) return "no_video";
  if (event.endsAt <= now) return "over";
  return isLiveEarly(event, now) ? "early" : "open";
}
