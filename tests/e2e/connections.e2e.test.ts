import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { newMemberInput } from "#tests/support/form-client.ts";
import { fillSignUp, screenshot } from "#tests/support/steps.ts";

const part = (page: Page, name: string) => page.getByRole("region", { name });
const people = (page: Page, name: string) => part(page, name).getByRole("link", { name: /@/ });

async function member(page: Page): Promise<void> {
  await page.goto("/auth/register");
  await fillSignUp(page, newMemberInput("Caio Reis"));
  await page.waitForURL((url) => url.pathname === "/");
}

describe.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("%s", (_, javaScript) => {
  test(
    "followed, muted and blocked members are listed and removed, and each removal can be undone",
    { timeout: 120_000 },
    async () => {
      const page = await newPage({ javaScript, width: 390, height: 844 });
      await member(page);
      await page.goto("/settings/connections");
      await page.getByText("Você ainda não segue ninguém").waitFor();
      await screenshot(page, `connections-empty-390${javaScript ? "" : "-nojs"}`);

      await page.goto("/space/ana");
      await page
        .getByRole("button", { name: /^Seguir/ })
        .first()
        .click();
      await page
        .getByRole("button", { name: /^Seguindo/ })
        .first()
        .waitFor();
      await page
        .locator("summary")
        .filter({ has: page.locator("svg") })
        .first()
        .click();
      await screenshot(page, `person-menu-390${javaScript ? "" : "-nojs"}`);
      await page.getByRole("button", { name: "Silenciar" }).click();
      await page.getByText("no início nem em Explorar").first().waitFor();
      await page.goto("/");
      await expect
        .poll(() => page.getByRole("article").filter({ hasText: "@ana" }).count())
        .toBe(0);

      await page.goto("/settings/connections");
      await expect.poll(() => people(page, "Quem você segue").count()).toBe(1);
      await page.getByRole("button", { name: /^Deixar de silenciar/ }).click();
      await page.getByRole("button", { name: "Desfazer" }).click();
      await people(page, "Quem você silenciou").first().waitFor();
      await page.getByRole("button", { name: /^Deixar de seguir/ }).click();
      await page.getByText("Você deixou de seguir").waitFor();
      await screenshot(page, `connections-undo-390${javaScript ? "" : "-nojs"}`);
      await page.getByRole("button", { name: "Desfazer" }).click();
      await people(page, "Quem você segue").first().waitFor();

      await page.goto("/space/ana");
      await page
        .locator("summary")
        .filter({ has: page.locator("svg") })
        .first()
        .click();
      await page.getByRole("link", { name: "Bloquear" }).click();
      await page.getByRole("heading", { name: /^Bloquear/ }).waitFor();
      await screenshot(page, `block-390${javaScript ? "" : "-nojs"}`);
      await page.getByRole("button", { name: "Bloquear" }).click();
      await people(page, "Pessoas bloqueadas").first().waitFor();
      await expect.poll(() => people(page, "Quem você segue").count()).toBe(0);
      expect((await page.request.get("/space/ana")).status()).toBe(404);
      await page.getByRole("button", { name: /^Desbloquear/ }).click();
      await page.getByText("Você desbloqueou").waitFor();
      expect((await page.request.get("/space/ana")).status()).toBe(200);
      await page.getByRole("button", { name: "Desfazer" }).click();
      await people(page, "Pessoas bloqueadas").first().waitFor();
    },
  );
});
