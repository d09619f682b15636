import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { fillEventForm } from "#tests/support/event-form.ts";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";
import { hydrated, openPageAs, screenshot } from "#tests/support/steps.ts";

const PHONE = { width: 390, height: 844 };

async function enter(door: Page, code: string): Promise<void> {
  await door.getByLabel("Código do ingresso").fill(code);
  await door.getByRole("button", { name: "Deixar entrar" }).click();
}

test("two doors without network let in by their lists, send it later, and both learn of the same ticket", async () => {
  const { origin } = sharedServer();
  const creator = await signUpSeller(origin);
  const fan = await signUpMember(origin, "Bento Reis");
  const page = await openPageAs(creator, "/events/create", PHONE);
  await fillEventForm(page, { startsAt: "2027-05-21T20:00", endsAt: "2027-05-21T22:00" });
  await page.getByRole("button", { name: "Publicar evento" }).click();
  await page.waitForURL(/\/events\/[0-9a-f]{32}$/);
  const { pathname } = new URL(page.url());
  const theirs = await openPageAs(fan, pathname, PHONE);
  await theirs.getByRole("button", { name: "Vou" }).click();
  await theirs.getByRole("heading", { name: "O seu ingresso" }).waitFor();
  const code = await theirs.locator("main p.font-mono").innerText();

  const front = await openPageAs(creator, `${pathname}/door`, PHONE);
  const back = await openPageAs(creator, `${pathname}/door`, PHONE);
  for (const door of [front, back]) await door.getByText("Lista de 1 ingresso").waitFor();
  for (const door of [front, back]) await door.context().setOffline(true);
  await enter(front, "0000-0000-0000");
  await front.getByText("não está na lista que este aparelho guardou", { exact: false }).waitFor();
  await enter(front, code);
  await front.getByText("Bento Reis pode entrar.").waitFor();
  await enter(front, code);
  await front.getByText("Bento Reis já entrou com este ingresso", { exact: false }).waitFor();
  await front.getByText("1 entrada espera a internet", { exact: false }).waitFor();
  await screenshot(front, "door-offline-390");
  await enter(back, code);
  await back.getByText("Bento Reis pode entrar.").waitFor();

  // A reload does not lose the queue.
  await front.route("**/door/sync", (route) => route.abort());
  await front.context().setOffline(false);
  await front.reload();
  await hydrated(front);
  await front.getByText("1 entrada espera a internet", { exact: false }).waitFor();
  await front.unroute("**/door/sync");
  await front.getByText("1 pessoa entrou").waitFor();
  await back.context().setOffline(false);
  const double = /Bento Reis entrou também pela outra porta às \d\d:\d\d/;
  await back.getByText(double).waitFor();
  await front.getByText(double).waitFor();
  await screenshot(front, "door-double-390");

  // Undone at one door, the ticket is still in through the other.
  await front.getByRole("button", { name: "Desfazer a entrada de Bento Reis" }).click();
  await expect.poll(() => back.getByText(double).count()).toBe(0);
  await enter(front, code);
  await front.getByText("Bento Reis já entrou com este ingresso", { exact: false }).waitFor();
  await back.getByText("1 pessoa entrou").waitFor();

  // A sign-out asks while entries wait, and deletes them.
  await back.context().setOffline(true);
  await back.getByRole("button", { name: "Desfazer a entrada de Bento Reis" }).click();
  await back.getByText("Espera a internet", { exact: true }).waitFor();
  await back.route("**/door/sync", (route) => route.abort());
  await back.context().setOffline(false);
  await back.goto("/auth/logout");
  await back.getByText("1 entrada da portaria ainda não foi enviada", { exact: false }).waitFor();
  await back.getByRole("button", { name: "Sair e apagar" }).click();
  await back.waitForURL(/\/auth\/login/);
  await expect
    .poll(() =>
      back.evaluate(() =>
        Object.keys(localStorage).filter((name) => name.startsWith("coreto-door")),
      ),
    )
    .toEqual([]);
  await expect.poll(() => back.evaluate(() => caches.has("coreto-door"))).toBe(false);
});
