import { expect, test } from "vitest";
import { barDestinations, railDestinations } from "#app/components/shell/navigation/navigation.ts";
import { isHiddenPath } from "#app/lib/uncompleted-features.ts";

const hidden = { uncompletedFeatures: false };
const shown = { uncompletedFeatures: true };
/** An example: nothing is hidden now. */
const EXAMPLE = [
  { name: "fairs", paths: ["/fairs", "/space/:username/public/fairs", "/api/v1/fairs"] },
];

test.each([
  "/fairs",
  "/fairs/1",
  "/Fairs",
  "//fairs",
  "/%66airs",
  "/fairs/create",
  "/api/v1/fairs/tickets",
  "/space/ana/public/fairs/1",
  "/space/:username/public/fairs/:id",
])("%s is hidden until it is completed, and shown where the flag says so", (path) => {
  expect(isHiddenPath(path, hidden, EXAMPLE)).toBe(true);
  expect(isHiddenPath(path, shown, EXAMPLE)).toBe(false);
});

test.each([
  "/",
  "/notifications",
  "/explore",
  "/messages",
  "/fairss",
  "/me/fairs",
  "/settings",
  "/space/fairs",
  "/space/ana/public",
  "/space/ana/public/collections",
])("%s is not of that feature and never hidden", (path) =>
  expect(isHiddenPath(path, hidden, EXAMPLE)).toBe(false),
);

test.each(["/events", "/events/1", "/api/v1/events", "/space/ana/public/events/1"])(
  "%s is shown in a deployment",
  (path) => expect(isHiddenPath(path, hidden)).toBe(false),
);

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

test("the rail of a deployment has everything, events too", () => {
  for (const person of people) {
    const rail = railDestinations({ ...person, ...hidden }).map(({ to }) => to);
    expect(rail).toEqual(railDestinations({ ...person, ...shown }).map(({ to }) => to));
    expect(rail).toContain("/events");
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
  expect([bar(true), bar(false)]).toEqual(["/messages", "/events"]);
});
