import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newPage, signIn } from "#tests/support/browser.ts";
import { hydrated, screenshot } from "#tests/support/steps.ts";

/** The texts of what would be on paper, with their colours on what ground. */
const printed = (page: Page) =>
  page.evaluate(() => {
    const seen = (element: Element) => element.getClientRects().length > 0;
    return {
      navigation: [...document.querySelectorAll("nav, dialog, [data-phone-bar]")].filter(seen)
        .length,
      links: [...document.querySelectorAll("a, button")]
        .filter(seen)
        .map((link) => link.textContent),
      title: getComputedStyle(document.querySelector("h1") ?? document.body).color,
      ground: getComputedStyle(document.documentElement).backgroundColor,
    };
  });

async function paperOf(page: Page, path: string): Promise<Awaited<ReturnType<typeof printed>>> {
  await page.goto(path);
  await hydrated(page);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  // The address is on paper, and only there.
  await page.getByText(new URL(path, page.url()).href, { exact: true }).waitFor();
  const paper = await printed(page);
  await screenshot(page, `paper${path.replaceAll(/\W+/g, "-")}`);
  await page.emulateMedia({ media: "screen" });
  await page
    .getByText(new URL(path, page.url()).href, { exact: true })
    .waitFor({ state: "hidden" });
  return paper;
}

const BLACK_ON_WHITE = {
  navigation: 0,
  title: "rgb(0, 0, 0)",
  ground: "rgb(255, 255, 255)",
};

test("receipts, statements and payments are printed black on white with their address and without navigation, from the dark theme too", async () => {
  const page = await newPage({ width: 1280, theme: "dark" });
  await signIn(page, { login: "bruno" });
  await hydrated(page);
  await page.getByRole("button", { name: "Escuro" }).click();
  await page.waitForFunction(() => document.documentElement.classList.contains("dark"));
  await page.goto("/settings/transactions");
  const sale =
    (await page
      .locator('main a[href^="/settings/transactions/"]:not([href*=".csv"])')
      .first()
      .getAttribute("href")) ?? "";
  const receipt = await paperOf(page, `${sale}/recibo`);
  expect(receipt).toMatchObject(BLACK_ON_WHITE);
  expect(receipt.links.join()).not.toMatch(/Imprimir|Baixar|Voltar|Coreto/);
  expect(await paperOf(page, sale)).toMatchObject(BLACK_ON_WHITE);

  const creator = await newPage({ width: 1280 });
  await signIn(creator, { login: "ana" });
  const year = await paperOf(creator, "/settings/transfers/resumo");
  expect(year).toMatchObject(BLACK_ON_WHITE);
  expect(year.links.join()).not.toMatch(/Imprimir|Baixar|Voltar/);
  expect(await paperOf(creator, "/settings/transfers/extrato")).toMatchObject(BLACK_ON_WHITE);
});

test("a ticket is printed with its QR code, and with nothing to press", async () => {
  const page = await newPage({ width: 1280, theme: "dark" });
  await signIn(page, { login: "bruno" });
  await page.goto("/events");
  const event = page.getByRole("link", { name: "Mutirão de conserto de rabecas" }).first();
  const ticket = await paperOf(page, `${await event.getAttribute("href")}/ticket`);
  expect(ticket).toMatchObject(BLACK_ON_WHITE);
  expect(ticket.links.join()).not.toMatch(/Baixar|Cancelar|Passar|Mudar|agenda/i);
  await page.emulateMedia({ media: "print" });
  const code = page.getByRole("img", { name: /^QR code do ingresso/ }).first();
  await code.waitFor();
  expect((await code.boundingBox())?.width).toBeGreaterThan(100);
});
