import { expect, test } from "vitest";
import { settingsBack } from "#app/components/shell/settings-back.ts";
import routes from "#app/routes.ts";
import type { RouteConfigEntry } from "@react-router/dev/routes";

const pathsOf = (entries: readonly RouteConfigEntry[], before = ""): string[] =>
  entries.flatMap((entry) => {
    const path = entry.path === undefined ? before : `${before}/${entry.path}`;
    return [path, ...pathsOf(entry.children ?? [], path)];
  });

const inner = [...new Set(pathsOf(await routes))].filter((path) => path.startsWith("/settings/subscriptions/:id/"));

test("every page of what is done with a subscription leads back to it", () => {
  expect(inner.length).toBeGreaterThan(15);
  for (const path of inner) expect(settingsBack(path.replaceAll(/:\w+/g, "s1")), path).toMatchObject({ to: "/settings/subscriptions/s1", label: "Assinatura" });
});

test.each([
  ["/settings/subscriptions/s1", "/settings/subscriptions"],
  ["/settings/subscriptions/s1/", "/settings/subscriptions"],
  ["/settings/subscriptions", "/settings"],
  ["/settings/billing/details", "/settings"],
])("%s leads back to %s", (from, to) => {
  expect(settingsBack(from).to).toBe(to);
});
