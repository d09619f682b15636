import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { MemberClient, SellerClient } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";
import { payPix } from "#tests/support/sandbox.ts";
import { hydrated, openPageAs, screenshot } from "#tests/support/steps.ts";

let creator: SellerClient;
let fan: MemberClient;
let other: MemberClient;

beforeAll(async () => {
  const { origin } = sharedServer();
  creator = await signUpSeller(origin);
  fan = await signUpMember(origin, "Bento Reis");
  other = await signUpMember(origin, "Caio Luz");
});

async function fillEvent(page: Page, startsAt: string, endsAt: string): Promise<void> {
  await page.getByLabel("Título").fill("Roda de rabeca");
  await page.getByLabel("Começa").fill(startsAt);
  await page.getByLabel("Termina").fill(endsAt);
  await page.getByLabel("Lugar").fill("Praça da Matriz, Olinda");
  await page.getByLabel("Link (opcional)").fill("https://sala.exemplo.test/roda");
  await page.getByLabel("Vagas (opcional)").fill("1");
}

test("a creator publishes an event, its last seat goes to one, another waits and gets it, and the door lets in once", async () => {
  const page = await openPageAs(creator, "/events", { width: 390, height: 844 });
  await page.getByRole("link", { name: "Criar evento" }).click();
  await page.getByRole("button", { name: "Publicar evento" }).waitFor();
  await fillEvent(page, "2027-05-20T20:00", "2027-05-20T19:00");
  await page.getByRole("button", { name: "Publicar evento" }).click();
  await page.getByText("O fim precisa ser depois do começo.").waitFor();
  await expect.poll(() => page.getByLabel("Título").inputValue()).toBe("Roda de rabeca");
  await screenshot(page, "event-form-390");
  await page.getByLabel("Termina").fill("2027-05-20T22:00");
  await page.getByRole("button", { name: "Publicar evento" }).click();
  await page.waitForURL(/\/events\/[0-9a-f]{32}$/);
  await page.getByText("1 vaga", { exact: true }).waitFor();
  const { pathname } = new URL(page.url());

  const theirs = await openPageAs(fan, pathname, { width: 390, height: 844 });
  await screenshot(theirs, "event-390");
  await theirs.getByRole("button", { name: "Vou" }).click();
  await theirs.getByRole("img", { name: /QR code do ingresso/ }).waitFor();
  await screenshot(theirs, "event-ticket-390");
  const code = await theirs.locator("main p.font-mono").innerText();

  // Plain forms for the one who comes late.
  const late = await openPageAs(other, pathname, { javaScript: false });
  await late.getByText("As vagas acabaram.").waitFor();
  await late.getByRole("button", { name: "Entrar na fila" }).click();
  await late.getByText("Você está na fila.", { exact: false }).first().waitFor();

  await theirs.getByRole("link", { name: "Cancelar minha vaga" }).click();
  await theirs.getByRole("button", { name: "Cancelar minha vaga" }).click();
  await theirs.waitForURL(`**${pathname}`);
  await late.goto(pathname);
  await late.getByText("Chegou a sua vez", { exact: false }).waitFor();
  await screenshot(late, "event-offer");
  await late.getByRole("button", { name: "Vou" }).click();
  await late.getByRole("heading", { name: "O seu ingresso" }).waitFor();
  await late.getByText("Adicionar à agenda").waitFor();
  const entering = await late.locator("main p.font-mono").innerText();

  const door = await openPageAs(creator, `${pathname}/door`, { javaScript: false });
  const enter = async (typed: string): Promise<void> => {
    await door.getByLabel("Código do ingresso").fill(typed);
    await door.getByRole("button", { name: "Deixar entrar" }).click();
  };
  await enter(code);
  await door.getByText("A vaga de Bento Reis foi cancelada").waitFor();
  await enter(entering.toLowerCase());
  await door.getByText("Caio Luz pode entrar.").waitFor();
  await screenshot(door, "event-door");
  await door.goto(`${pathname}/door`);
  await enter(entering);
  await door.getByText("Caio Luz já entrou com este ingresso").waitFor();
});

test("who asks for a seat by keyboard stays at the place where the answer comes", async () => {
  const page = await openPageAs(creator, "/events/create");
  await fillEvent(page, "2027-10-20T20:00", "2027-10-20T22:00");
  await page.getByLabel("Aprovar cada pedido de vaga").check();
  await page.getByRole("button", { name: "Publicar evento" }).click();
  await page.waitForURL(/\/events\/[0-9a-f]{32}$/);
  const theirs = await openPageAs(fan, new URL(page.url()).pathname);
  await hydrated(theirs);
  const focused = () => theirs.locator(":focus").allTextContents();
  await theirs.getByRole("button", { name: "Pedir vaga" }).press("Enter");
  await expect.poll(focused).toEqual([expect.stringContaining("Você pediu 1 vaga.")]);
});

test("a creator sells tickets, a fan pays by Pix, and who cancels gets the money back", async () => {
  const page = await openPageAs(creator, "/events/create", { width: 390, height: 844 });
  await fillEvent(page, "2027-07-20T20:00", "2027-07-20T22:00");
  await page.getByRole("button", { name: "Publicar evento" }).click();
  await page.waitForURL(/\/events\/[0-9a-f]{32}$/);
  const { pathname } = new URL(page.url());
  await page.getByRole("link", { name: "Ingressos" }).click();
  await page.getByLabel("Nome do ingresso").fill("Inteira");
  await page.getByLabel("Preço do ingresso").fill("30,00");
  await page.getByText("Você recebe", { exact: false }).first().waitFor();
  await page.getByRole("button", { name: "Criar tipo de ingresso" }).click();
  await page.getByText("Inteira: R$ 30,00").waitFor();
  await screenshot(page, "event-kinds-390");

  const theirs = await openPageAs(fan, pathname, { width: 390, height: 844, javaScript: false });
  await screenshot(theirs, "event-paid-390");
  await theirs.getByRole("button", { name: "Continuar" }).click();
  await theirs.getByRole("heading", { name: "Compre e garanta a vaga" }).waitFor();
  await screenshot(theirs, "event-checkout-390");
  const wide = await openPageAs(fan, new URL(theirs.url()).pathname + new URL(theirs.url()).search);
  await screenshot(wide, "event-checkout");
  await hydrated(wide);
  await wide.getByRole("button", { name: "Pagar com Pix" }).click();
  await wide.waitForURL(/\/checkout\/[^?]+$/);
  await hydrated(wide);
  await screenshot(wide, "event-pix");
  await wide.getByRole("button", { name: "Copiar código Pix" }).click();
  await wide.getByRole("button", { name: "Copiado" }).waitFor();
  // Meanwhile the event's page says that the seat is held.
  await theirs.goto(pathname);
  await theirs.getByText("1 vaga guardada para você até", { exact: false }).waitFor();
  await screenshot(theirs, "event-held-390");
  const { origin } = sharedServer();
  await payPix(origin, await wide.evaluate(() => navigator.clipboard.readText()));
  await wide.getByRole("img", { name: /QR code do ingresso/ }).waitFor();
  await screenshot(wide, "event-paid-ticket");

  await wide.getByRole("link", { name: "Cancelar minha vaga" }).click();
  await wide.getByText("Cancelando tudo agora, devolvemos R$ 30,00").waitFor();
  await screenshot(wide, "event-cancel-refund");
  await wide.getByRole("button", { name: "Cancelar minha vaga" }).click();
  await wide.getByText("Devolvemos R$ 30,00", { exact: false }).first().waitFor();
  await expect.poll(() => new URL(wide.url()).pathname).toBe(pathname);
});

test("a visitor reads the event with its data for search engines, and members see the month", async () => {
  const page = await openPageAs(creator, "/events/create");
  await fillEvent(page, "2027-06-11T20:00", "2027-06-11T21:00");
  await page.getByRole("button", { name: "Publicar evento" }).click();
  await page.waitForURL(/\/events\/[0-9a-f]{32}$/);
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const visitor = await newPage({ width: 390, height: 844, javaScript: false });
  await visitor.goto(`/space/${creator.username}/public/events/${id}`);
  await visitor.getByRole("heading", { name: "Roda de rabeca" }).waitFor();
  const json = (await visitor.locator('script[type="application/ld+json"]').textContent()) ?? "";
  expect(JSON.parse(json)).toMatchObject({
    "@graph": expect.arrayContaining([
      expect.objectContaining({ "@type": "Event", startDate: "2027-06-11T23:00:00.000Z" }),
    ]),
  });
  expect(await visitor.content()).not.toContain("sala.exemplo");
  await screenshot(visitor, "event-public-390");

  const month = await openPageAs(fan, "/events/explore?mes=2027-06", { width: 1440, height: 900 });
  await month.getByRole("link", { name: /20:00 Roda de rabeca/ }).waitFor();
  await expect.poll(() => month.getByRole("columnheader").first().innerText()).toBe("seg");
  await screenshot(month, "events-month-1440");
  const narrow = await openPageAs(fan, "/events/explore?mes=2027-06", { width: 390, height: 844 });
  await narrow.getByRole("link", { name: /20:00 Roda de rabeca/ }).waitFor();
  await expect
    .poll(() => narrow.evaluate(() => document.documentElement.scrollWidth))
    .toBeLessThanOrEqual(390);
  await screenshot(narrow, "events-month-390");
});
