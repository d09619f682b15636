import { beforeAll, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { MemberClient, SellerClient } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";
import { hydrated, openPageAs, screenshot } from "#tests/support/steps.ts";
import type { Page } from "playwright-core";

let creator: SellerClient;
let fan: MemberClient;

beforeAll(async () => {
  const { origin } = sharedServer();
  creator = await signUpSeller(origin);
  fan = await signUpMember(origin, "Bento Reis");
});

async function fillSeries(page: Page): Promise<void> {
  await page.getByLabel("Título").fill("Roda de toda terça");
  await page.getByLabel("Começa").fill("2027-08-10T20:00");
  await page.getByLabel("Termina").fill("2027-08-10T22:00");
  await page.getByLabel("Lugar").fill("Praça da Matriz, Olinda");
  await page.getByLabel("Repetir").selectOption({ label: "Toda semana" });
  await page.getByText("Um número de vezes").click();
  await page.getByLabel("Quantas vezes").fill("3");
}

test("a creator sees the dates while typing, publishes them, and changes one on its own", async () => {
  const page = await openPageAs(creator, "/events/create", { width: 390, height: 844 });
  await hydrated(page);
  await fillSeries(page);
  await page.getByText("3 datas. As próximas:").waitFor();
  await page.getByText("24 de agosto de 2027, 20:00 até 22:00", { exact: false }).waitFor();
  await screenshot(page, "event-series-form-390");
  await page.getByRole("button", { name: "Publicar evento" }).click();
  await page.waitForURL(/\/events\/[0-9a-f]{32}$/);
  const { pathname } = new URL(page.url());
  await page.getByText("Toda semana: terça-feira, 3 vezes.").waitFor();
  await screenshot(page, "event-series-390");

  await page.getByRole("link", { name: /17 de agosto de 2027/ }).click();
  await page.waitForURL((url) => url.pathname !== pathname);
  await page.getByRole("link", { name: "Editar" }).click();
  await page.getByLabel("Título").fill("Roda com convidada");
  await page.getByText("Só esta data").waitFor();
  await screenshot(page, "event-series-edit-390");
  await page.getByRole("button", { name: "Salvar alterações" }).click();
  await page.getByRole("heading", { name: "Roda com convidada" }).waitFor();

  const week = await openPageAs(fan, "/events/explore?view=week&semana=2027-08-19", {
    width: 1440,
    height: 900,
  });
  const shown = week.getByRole("link", { name: "20:00 Roda com convidada" });
  await shown.focus();
  await expect.poll(() => shown.evaluate((one) => document.activeElement === one)).toBe(true);
  await screenshot(week, "events-week-1440");
  const narrow = await openPageAs(fan, "/events/explore?view=week&semana=2027-08-19", {
    width: 390,
    height: 844,
    javaScript: false,
  });
  await narrow.getByRole("link", { name: "20:00 Roda com convidada" }).waitFor();
  await expect
    .poll(() => narrow.evaluate(() => document.documentElement.scrollWidth))
    .toBeLessThanOrEqual(390);
  await screenshot(narrow, "events-week-390");
  await narrow.getByRole("link", { name: "Próxima semana" }).click();
  await narrow.getByRole("link", { name: "20:00 Roda de toda terça" }).waitFor();

  const id = pathname.split("/").at(-1);
  const visitor = await newPage({ width: 390, height: 844, javaScript: false });
  await visitor.goto(`/space/${creator.username}/public/events/${id}`);
  await visitor.getByRole("heading", { name: "Próximas datas" }).waitFor();
  await visitor.getByRole("link", { name: /17 de agosto de 2027/ }).click();
  await visitor.getByRole("heading", { name: "Roda com convidada" }).waitFor();
});

test("without JavaScript a button shows the dates, and “Esta e as próximas” cancels the rest", async () => {
  const page = await openPageAs(creator, "/events/create", {
    width: 390,
    height: 844,
    javaScript: false,
  });
  await fillSeries(page);
  await page.getByRole("button", { name: "Ver as datas" }).click();
  await page.getByText("Nada foi salvo ainda.", { exact: false }).waitFor();
  await page.getByText("3 datas. As próximas:").waitFor();
  await expect.poll(() => page.getByLabel("Título").inputValue()).toBe("Roda de toda terça");
  await page.getByRole("button", { name: "Publicar evento" }).click();
  await page.getByRole("link", { name: /17 de agosto de 2027/ }).click();
  await page.getByRole("link", { name: "Editar" }).click();
  await page.getByRole("link", { name: "Cancelar evento" }).click();
  await page.getByText("Esta e as próximas", { exact: true }).click();
  await screenshot(page, "event-series-cancel-390");
  await page.getByRole("button", { name: "Cancelar evento" }).click();
  await page.getByText("Cancelado", { exact: true }).first().waitFor();
});
