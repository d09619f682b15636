import type { Page } from "playwright-core";
import { signIn } from "./browser.ts";

/** Who opens the pages: a visitor, or a person of the seeded town by username. */
export const TOWN_READERS = ["visitor", "bruno", "ana", "carla"] as const;
export type TownReader = (typeof TOWN_READERS)[number];

/**
 * Signs the page in as the reader and returns the addresses of the screens that they use: fixed
 * ones, and one of each kind of thing that the seeded town has. Throws where the town has none.
 */
export async function openTownAs(page: Page, reader: TownReader): Promise<string[]> {
  if (reader === "visitor") return await visitorPages(page);
  await signIn(page, { login: reader });
  if (reader === "bruno") return await fanPages(page);
  return reader === "ana" ? await creatorPages(page) : [...STAFF_PAGES];
}

async function linkTo(page: Page, from: string, start: string): Promise<string> {
  await page.goto(from);
  const found = await page
    .locator(`a[href^="${start}"]:not([href*=".csv"])`)
    .first()
    .getAttribute("href");
  if (!found) throw new Error(`${from} has no link to ${start}…`);
  return found;
}

async function visitorPages(page: Page): Promise<string[]> {
  return [
    "/",
    "/explore",
    "/ajuda",
    "/terms/privacy",
    "/auth/login",
    "/auth/register",
    "/space/ana/public",
    await linkTo(page, "/space/ana/public", "/space/ana/public/"),
    await linkTo(page, "/space/ana/public", "/checkout"),
  ];
}

async function fanPages(page: Page): Promise<string[]> {
  const payment = await linkTo(page, "/settings/transactions", "/settings/transactions/");
  return [
    "/",
    "/explore?q=rabeca",
    "/notifications",
    "/space/nilo",
    "/events/explore?view=week",
    await linkTo(page, "/", "/post/"),
    await linkTo(page, "/space/nilo", "/checkout"),
    "/messages",
    await linkTo(page, "/messages", "/messages/"),
    "/settings",
    "/settings/connections",
    "/settings/notifications",
    "/settings/subscriptions",
    await linkTo(page, "/settings/subscriptions", "/settings/subscriptions/"),
    "/settings/purchases",
    "/settings/billing",
    payment,
    `${payment}/recibo`,
  ];
}

async function creatorPages(page: Page): Promise<string[]> {
  const plan = await linkTo(page, "/me", "/plan/0");
  // The last of a repeating event.
  const date = await linkTo(page, "/events/manage", "/events/0");
  const running = await linkTo(page, "/", "/events/0");
  return [
    "/",
    "/me",
    "/me/drafts",
    "/me/subscribers",
    "/messages/broadcasts",
    "/events",
    "/events?view=week",
    "/events/explore?mes=",
    "/events/create",
    "/events/manage",
    date,
    `${date}/edit`,
    `${date}/cancellation`,
    // The video of the event that takes place now, and its chat.
    `${running}/live`,
    "/settings/notifications",
    "/post/create",
    "/plan/create",
    plan,
    "/collection/create",
    "/analytics",
    "/analytics/people",
    "/analytics/posts",
    await linkTo(page, "/analytics/posts?range=90", "/analytics/posts/"),
    "/analytics/events",
    "/analytics/links",
    "/analytics/links/bio-instagram",
    "/analytics/links/bio-instagram/archive",
    "/analytics/recurring",
    "/analytics/recurring/churn",
    "/settings/profile",
    "/settings/transfers",
    "/settings/transfers/extrato",
  ];
}

const STAFF_PAGES = [
  "/admin",
  "/admin/reports",
  "/admin/documents",
  "/admin/payouts",
  "/admin/metrics",
  "/admin/ledger",
  "/admin/reconciliation",
  "/admin/disputes",
  "/admin/fiscal",
];
