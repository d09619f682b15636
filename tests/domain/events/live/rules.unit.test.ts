import fc from "fast-check";
import { expect, test } from "vitest";
import { livePlayerUrl, liveState, liveVideo } from "#app/domain/events/live/rules.ts";
import { MINUTE_MS } from "#app/domain/time.ts";

test.each([
  ["https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1", { provider: "youtube", id: "dQw4w9WgXcQ" }],
  ["https://youtu.be/dQw4w9WgXcQ", { provider: "youtube", id: "dQw4w9WgXcQ" }],
  ["https://www.youtube.com/live/dQw4w9WgXcQ?si=x", { provider: "youtube", id: "dQw4w9WgXcQ" }],
  ["https://vimeo.com/76979871", { provider: "vimeo", id: "76979871" }],
  [
    "https://vimeo.com/76979871/abcdef0123",
    { provider: "vimeo_unlisted", id: "76979871", hash: "abcdef0123" },
  ],
  [
    "https://vimeo.com/76979871?h=abcdef0123",
    { provider: "vimeo_unlisted", id: "76979871", hash: "abcdef0123" },
  ],
  ["https://vimeo.com/event/1234567", { provider: "vimeo_event", id: "1234567", hash: null }],
  ["https://www.twitch.tv/Coreto_Musica", { provider: "twitch", id: "coreto_musica" }],
  ["https://www.twitch.tv/videos/123456789", { provider: "twitch_video", id: "123456789" }],
])("%s is a video that our page shows", (link, video) => {
  expect(liveVideo(link)).toEqual(video);
});

test.each([
  "http://www.youtube.com/watch?v=dQw4w9WgXcQ",
  "https://www.youtube.com/@coreto/live",
  "https://www.youtube.com/watch?v=curto",
  "https://youtube.com.exemplo.test/watch?v=dQw4w9WgXcQ",
  "https://www.youtube.com:8443/watch?v=dQw4w9WgXcQ",
  "https://ana@youtu.be/dQw4w9WgXcQ",
  "https://vimeo.com/76979871/oi?x=1",
  "https://vimeo.com/event/abc",
  "https://www.twitch.tv/directory",
  "https://www.twitch.tv/canal/clip/x",
  "https://clips.twitch.tv/abc",
  "https://encontro.exemplo.test/sala",
  "javascript:alert(1)",
  "",
])("%s stays an ordinary link", (link) => {
  expect(liveVideo(link)).toBeNull();
});

test("whatever is linked, the player is of one of four hosts", () => {
  const host = fc.constantFrom(
    "www.youtube.com",
    "youtu.be",
    "vimeo.com",
    "www.twitch.tv",
    "x.test",
  );
  const path = fc.oneof(
    fc.webPath(),
    fc.constantFrom(
      "/watch?v=dQw4w9WgXcQ",
      "/dQw4w9WgXcQ",
      "/1234567",
      "/event/1234567/abcdef01",
      "/ana_luz",
    ),
  );
  const players = ["www.youtube-nocookie.com", "player.vimeo.com", "vimeo.com", "player.twitch.tv"];
  fc.assert(
    fc.property(host, path, (at, to) => {
      const video = liveVideo(`https://${at}${to}`);
      if (video) expect(players).toContain(new URL(livePlayerUrl(video, "coreto.test")).hostname);
    }),
  );
});

test("Twitch is told which host frames it", () => {
  expect(livePlayerUrl({ provider: "twitch", id: "ana" }, "coreto.test")).toBe(
    "https://player.twitch.tv/?channel=ana&parent=coreto.test&autoplay=true",
  );
});

const event = {
  status: "published" as const,
  startsAt: 60 * MINUTE_MS,
  endsAt: 120 * MINUTE_MS,
  linkMinutes: null as number | null,
  mayWatch: true,
  hasVideo: true,
};

test.each([
  ["before the last 15 minutes", event, 44, "early"],
  ["15 minutes before the start", event, 45, "open"],
  ["15 minutes before, of a link that is shown earlier", { ...event, linkMinutes: 60 }, 45, "open"],
  ["before a link that is shown later", { ...event, linkMinutes: 5 }, 54, "early"],
  ["with a link that is shown later", { ...event, linkMinutes: 5 }, 55, "open"],
  ["until the end", event, 119, "open"],
  ["at the end", event, 120, "over"],
  ["without a seat", { ...event, mayWatch: false }, 60, "no_seat"],
  ["canceled", { ...event, status: "canceled" as const }, 60, "canceled"],
  ["a draft", { ...event, status: "draft" as const }, 60, "early"],
  ["with another link", { ...event, hasVideo: false }, 60, "no_video"],
])("%s", (_, given, minute, state) => {
  expect(liveState(given, minute * MINUTE_MS)).toBe(state);
});
