import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { PUBLIC_SCRIPT } from "#app/http/theme-script.ts";

type Listener = (event: { target?: unknown }) => void;
type Player = { currentSrc: string; dataset: Record<string, unknown> } & Record<string, unknown>;

/** A page of a post with the public script, and what it says of itself. */
function openPost({ cookie = "", doNotTrack = "", globalPrivacyControl = false } = {}) {
  const listeners = new Map<string, Listener[]>();
  const listen = (name: string, act: Listener) =>
    listeners.set(name, [...(listeners.get(name) ?? []), act]);
  const players: Player[] = [];
  const said: string[] = [];
  let now = 0;
  let tick = (): void => undefined;
  const document = {
    cookie,
    visibilityState: "visible",
    documentElement: { classList: { toggle: () => undefined } },
    querySelector: () => ({ dataset: { read: "p1" } }),
    querySelectorAll: (selector: string) =>
      selector === "[data-played]" ? players.filter(({ dataset }) => dataset.played) : [],
    addEventListener: listen,
  };
  runInNewContext(PUBLIC_SCRIPT, {
    document,
    addEventListener: listen,
    matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
    navigator: {
      doNotTrack,
      globalPrivacyControl,
      sendBeacon: (path: string, body: URLSearchParams) => said.push(`${path}?${body.toString()}`),
    },
    setInterval: (act: () => void) => (tick = act),
    location: "https://coreto.test/space/ana/public/p1",
    Date: { now: () => now },
    URL,
    URLSearchParams,
  });
  return {
    document,
    players,
    said,
    fire: (name: string, target?: unknown) =>
      listeners.get(name)?.forEach((act) => act({ target })),
    pass: (seconds: number) => {
      for (let at = 0; at < seconds; at += 1) {
        now += 1_000;
        tick();
      }
    },
  };
}

test("a post says once, as it is left, for how long somebody active had it in sight", () => {
  const page = openPost();
  page.pass(20);
  page.document.visibilityState = "hidden";
  page.pass(5);
  page.document.visibilityState = "visible";
  page.fire("scroll");
  page.pass(60);
  expect(page.said).toEqual([]);
  page.fire("pagehide");
  page.fire("pagehide");
  expect(page.said).toEqual(["/resources/reads?post=p1&seconds=49"]);
});

test.each([
  { doNotTrack: "1" },
  { globalPrivacyControl: true },
  { cookie: "coreto-measurement=no" },
])("nothing is said of who asks not to be measured: %o", (asked) => {
  const page = openPost(asked);
  page.pass(20);
  page.fire("pagehide");
  expect(page.said).toEqual([]);
});

test("a player says that it began, and once at the end the furthest twentieth", () => {
  const page = openPost();
  const song = { currentSrc: "https://coreto.test/media/song/x", duration: 100, dataset: {} };
  const player: Player = { ...song, currentTime: 0 };
  page.players.push(player);
  page.fire("play", player);
  for (const at of [52, 10]) {
    player.currentTime = at;
    page.fire("timeupdate", player);
  }
  page.fire("play", player);
  page.fire("pagehide");
  page.fire("pagehide");
  expect(page.said).toEqual([
    "/resources/plays?media=song",
    "/resources/plays?media=song&reach=10",
  ]);
});
