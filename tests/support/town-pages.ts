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

/** The address of an event by its title, as a list of events links it. */
async function eventOf(page: Page, from: string, title: string): Promise<string> {
  await page.goto(from);
  const found = await page.getByRole("link", { name: title }).first().getAttribute("href");
  if (!found?.startsWith("/events/")) throw new Error(`${from} has no event called ${title}`);
  return found;
}

const ASKING = "Mutirão de conserto de rabecas";
const APPROVING = "Vivência de rabeca: um fim de semana no sítio";
const SELLING = "Rabeca no quintal: o disco inteiro, ao vivo";

/** What a fan sees of events: questions, a request, a ticket and its transfer, a report. */
async function fanEventPages(page: Page): Promise<string[]> {
  const asking = await eventOf(page, "/events", ASKING);
  const approving = await eventOf(page, "/events/explore", APPROVING);
  const transfer = await linkTo(page, `${asking}/ticket`, `${asking}/tickets/`);
  const seat = transfer.split("/").slice(0, 5).join("/");
  return [
    asking,
    `${asking}/seat`,
    `${asking}/seat/cancellation`,
    `${asking}/ticket`,
    `${seat}/name`,
    `${seat}/transfer`,
    approving,
    `${approving}/request`,
    `${approving}/request/withdrawal`,
    `/report${asking.replace("/events", "/event")}`,
    "/events/calendar",
  ];
}

/** What a creator sees of events with questions, requests and tickets. */
async function creatorEventPages(page: Page): Promise<string[]> {
  const asking = await eventOf(page, "/events/manage", ASKING);
  const approving = await eventOf(page, "/events/manage", APPROVING);
  const selling = await eventOf(page, "/events/manage", SELLING);
  const requests = `${approving}/requests`;
  const approval = await linkTo(page, requests, `${requests}/`);
  return [
    `${asking}/questions`,
    await linkTo(page, `${asking}/questions`, `${asking}/questions/`),
    `${asking}/people`,
    `${asking}/message`,
    `${asking}/door`,
    requests,
    approval,
    approval.replace("/approval", "/refusal"),
    `${selling}/ticket-kinds`,
    await linkTo(page, `${selling}/ticket-kinds`, `${selling}/ticket-kinds/`),
  ];
}

async function visitorPages(page: Page): Promise<string[]> {
  return [
    "/",
    "/explore",
    "/explore/pessoas",
    "/explore/imagens",
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
    "/explore/imagens?sort=new",
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
    ...(await fanEventPages(page)),
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
    `${date}/repetition`,
    // The video of the event that takes place now, and its chat.
    `${running}/live`,
    ...(await creatorEventPages(page)),
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
