import { expect, test } from "vitest";
import { settingsBack } from "#app/components/shell/navigation/settings-back.ts";
import routes from "#app/routes.ts";
import type { RouteConfigEntry } from "@react-router/dev/routes";

const pathsOf = (entries: readonly RouteConfigEntry[], before = ""): string[] =>
  entries.flatMap((entry) => {
    const path = entry.path === undefined ? before : `${before}/${entry.path}`;
    return [path, ...pathsOf(entry.children ?? [], path)];
  });

const all = [...new Set(pathsOf(await routes))].filter((path) => path.startsWith("/settings/"));
const named = (path: string) => path.replaceAll(/:\w+/g, "s1");

test("every page below a subscription leads back to the subscription", () => {
  const inner = all.filter((path) => path.startsWith("/settings/subscriptions/:id/"));
  expect(inner.length).toBeGreaterThan(15);
  for (const path of inner)
    expect(settingsBack(named(path)), path).toMatchObject({
      to: "/settings/subscriptions/s1",
      label: "Assinatura",
    });
});

test("every settings page leads back to an existing page above it", () => {
  const pages = new Set(all.map(named));
  expect(pages.size).toBeGreaterThan(70);
  for (const page of pages) {
    const { to } = settingsBack(page);
    expect(to === "/settings" || pages.has(to), `${page} leads to ${to}`).toBe(true);
    expect(
      page.startsWith(`${to}/`) || page.startsWith("/settings/gifts/"),
      `${page} leads to ${to}`,
    ).toBe(true);
  }
});

test.each([
  ["/settings/subscriptions/s1", "/settings/subscriptions", true],
  ["/settings/subscriptions/s1/", "/settings/subscriptions", true],
  ["/settings/subscriptions", "/settings", true],
  ["/settings/billing/details", "/settings", true],
  ["/settings/billing/methods/create", "/settings/billing", true],
  ["/settings/transactions/t1", "/settings/transactions", true],
  ["/settings/transactions/t1/refund", "/settings/transactions/t1", false],
  ["/settings/transactions/disputes", "/settings", true],
  ["/settings/transactions/disputes/d1", "/settings/transactions/disputes", true],
  [
    "/settings/transactions/disputes/d1/evidence/f1/removal",
    "/settings/transactions/disputes/d1",
    false,
  ],
  ["/settings/purchases/p1/regret", "/settings/purchases/p1", false],
  ["/settings/gifts/g1", "/settings/purchases", true],
  ["/settings/transfers/debt/c1", "/settings/transfers/debt", false],
  ["/settings/transfers/releases", "/settings/transfers", true],
])("the back link of %s leads to %s", (from, to, isInMenu) => {
  expect(settingsBack(from)).toMatchObject({ to, isInMenu });
});
