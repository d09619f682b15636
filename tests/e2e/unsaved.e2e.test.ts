import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { signUpSeller } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";
import { hydrated, openPageAs, screenshot } from "#tests/support/steps.ts";

const question = (page: Page) => page.getByRole("dialog", { name: "Sair sem salvar?" });
const leave = (page: Page) =>
  page.getByRole("link", { name: "Explorar", exact: true }).first().click();

test("a changed form asks before it is left, by link, by the back button and by closing; a saved or unchanged one does not", async () => {
  const seller = await signUpSeller(sharedServer().origin);
  const page = await openPageAs(seller, "/settings/profile");
  const bio = page.getByLabel("Sobre você");
  const before = await bio.inputValue();
  await bio.fill("Toco rabeca, e agora conto também.");
  await leave(page);
  await question(page).waitFor();
  await screenshot(page, "unsaved-question");
  await question(page).getByRole("button", { name: "Continuar editando" }).click();
  await question(page).waitFor({ state: "hidden" });
  await expect.poll(() => bio.inputValue()).toBe("Toco rabeca, e agora conto também.");

  // Esc stays as well, and the browser itself asks before the page is closed.
  await leave(page);
  await question(page).waitFor();
  await page.keyboard.press("Escape");
  await question(page).waitFor({ state: "hidden" });
  const asked = page.waitForEvent("dialog");
  const closing = page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await closing;

  // What was changed back is unchanged.
  await bio.fill(before);
  await leave(page);
  await page.waitForURL("**/explore");

  await page.getByRole("link", { name: "Ajustes" }).first().click();
  await page.getByRole("link", { name: "Página pública" }).first().click();
  await page.waitForURL("**/settings/profile");
  await bio.fill("Rabeca e forró.");
  await page.goBack();
  await question(page).getByRole("button", { name: "Sair sem salvar" }).click();
  await page.waitForURL((url) => url.pathname !== "/settings/profile");

  await page.goto("/settings/profile");
  await bio.fill("Rabeca, forró e prosa.");
  await page.getByRole("button", { name: "Salvar" }).click();
  await page.getByText("Página pública salva.").waitFor();
  await leave(page);
  await page.waitForURL("**/explore");
});

/** Opens the page of the profile, and changes it before a script of it runs. */
async function changedEarly(page: Page, change: () => Promise<unknown>): Promise<void> {
  const scripts = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto("/settings/profile", { waitUntil: "commit" });
  await change();
  scripts.resolve();
  await hydrated(page);
  await page.unroute("**/*.js");
}

test("what was typed before the script ran is kept, and counts as changed", async () => {
  const seller = await signUpSeller(sharedServer().origin);
  const page = await openPageAs(seller, "/me");
  await changedEarly(page, async () => {
    await page.getByLabel("Cidade").fill("Olinda");
    await page.getByLabel("Sobre você").fill("Toco rabeca desde menina.");
  });
  await leave(page);
  await question(page).getByRole("button", { name: "Continuar editando" }).click();
  await expect.poll(() => page.getByLabel("Cidade").inputValue()).toBe("Olinda");
  await expect
    .poll(() => page.getByLabel("Sobre você").inputValue())
    .toBe("Toco rabeca desde menina.");
});

test("so does a choice of a list, and a page that was only read does not", async () => {
  const seller = await signUpSeller(sharedServer().origin);
  const page = await openPageAs(seller, "/me");
  await changedEarly(page, () => page.getByLabel("Assunto").selectOption({ label: "Cozinha" }));
  await leave(page);
  await question(page).getByRole("button", { name: "Sair sem salvar" }).click();
  await page.waitForURL("**/explore");
  await changedEarly(page, () => page.getByLabel("Cidade").waitFor());
  await leave(page);
  await expect.poll(() => new URL(page.url()).pathname).toBe("/explore");
});

test("a refused plan still asks, and keeps what was typed", async () => {
  const seller = await signUpSeller(sharedServer().origin);
  const page = await openPageAs(seller, "/plan/create");
  await page.getByLabel("Nome", { exact: true }).fill("Camarim");
  await page.getByRole("button", { name: "Criar plano" }).click();
  await page.locator("[aria-invalid=true]").first().waitFor();
  await leave(page);
  await question(page).getByRole("button", { name: "Continuar editando" }).click();
  await expect.poll(() => page.getByLabel("Nome", { exact: true }).inputValue()).toBe("Camarim");
});
