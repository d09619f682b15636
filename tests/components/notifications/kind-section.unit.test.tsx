import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { KindSection } from "#app/components/notifications/kind-section.tsx";

const kinds = [
  {
    kind: "like",
    label: "Curtidas",
    hint: "Quando alguém curte.",
    channels: [
      { channel: "app" as const, rule: "on" as const, isOn: true },
      { channel: "push" as const, rule: "on" as const, isOn: false },
    ],
  },
];
const ticked = (typed?: Record<string, string>) =>
  [
    ...renderToStaticMarkup(<KindSection title="Pessoas" kinds={kinds} typed={typed} />).matchAll(
      /<input type="checkbox"[^>]*>/g,
    ),
  ]
    .map(([input]) => input)
    .filter((input) => input.includes("checked"))
    .map((input) => /value="([^"]*)"/.exec(input)?.[1]);

test("the boxes show what is stored, and after a refused form what was ticked in it", () => {
  expect(ticked()).toEqual(["like:app"]);
  expect(ticked({ on: "like:push\npost:app" })).toEqual(["like:push"]);
  expect(ticked({ quietFrom: "25:00" })).toEqual([]);
});
