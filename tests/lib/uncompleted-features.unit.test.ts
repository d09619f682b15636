import { expect, test } from "vitest";
import { barDestinations, railDestinations } from "#app/components/shell/navigation.ts";
import { isHiddenPath } from "#app/lib/uncompleted-features.ts";

const hidden = { uncompletedFeatures: false };
const shown = { uncompletedFeatures: true };

test.each([
  "/events",
  "/events/1",
  "/Events",
  "//events",
  "/%65vents",
  "/events/create",
  "/api/v1/events/tickets",
  "/space/ana/public/events/1",
  "/space/:username/public/events/:id",
])("%s is hidden until it is completed, and shown where the flag says so", (path) => {
  expect(isHiddenPath(path, hidden)).toBe(true);
  expect(isHiddenPath(path, shown)).toBe(false);
});

test.each([
  "/",
  "/notifications",
  "/explore",
  "/messages",
  "/settings/messages",
  "/api/v1/conversations",
  "/eventss",
  "/me/events",
  "/settings",
  "/space/events",
  "/space/ana/public",
  "/space/ana/public/collections",
])("%s is completed and never hidden", (path) => expect(isHiddenPath(path, hidden)).toBe(false));

const people = [true, false].flatMap((isCreator) =>
  [true, false].flatMap((publishes) =>
    [true, false].map((readsMessages) => ({
      isCreator,
      publishes,
      readsMessages,
      isModerator: true,
    })),
  ),
);

test("no navigation links to a hidden feature, and the rail keeps everything else", () => {
  for (const person of people) {
    const rail = railDestinations({ ...person, ...hidden }).map(({ to }) => to);
    expect(rail).toEqual(
      railDestinations({ ...person, ...shown })
        .map(({ to }) => to)
        .filter((to) => to !== "/events"),
    );
    const bar = barDestinations({ ...person, ...hidden }).map(({ to }) => to);
    expect(bar.filter((to) => isHiddenPath(to, hidden))).toEqual([]);
  }
});

test("the phone bar has five different destinations, with and without the hidden features", () => {
  for (const person of people) {
    for (const flags of [hidden, shown]) {
      const bar = barDestinations({ ...person, ...flags }).map(({ to }) => to);
      expect(new Set(bar).size).toBe(5);
    }
  }
});

test("messages are in the phone bar, for who may read them", () => {
  const bar = (readsMessages: boolean) =>
    barDestinations({ isCreator: false, publishes: false, readsMessages, ...hidden })[3]?.to;
  expect([bar(true), bar(false)]).toEqual(["/messages", "/settings/purchases"]);
});
