import { expect, test } from "vitest";
import { newPage, signIn } from "#tests/support/browser.ts";

test.each([
  { javaScript: true, width: 1440 },
  { javaScript: false, width: 390 },
])("a creator reads their numbers at $width pixels, JavaScript $javaScript", async (options) => {
  const page = await newPage(options);
  await signIn(page, { login: "ana" });
  await page.goto("/analytics");
  await page.getByRole("img", { name: "Quanto você recebeu" }).waitFor();
  await page.getByRole("link", { name: "7 dias" }).click();
  await expect.poll(() => new URL(page.url()).search).toBe("?range=7");

  await page.getByText("Escolher os dias").click();
  await page.getByLabel("Primeiro dia").fill("2026-11-05");
  await page.getByLabel("Último dia").fill("2026-11-01");
  await page.getByRole("button", { name: "Mostrar" }).click();
  await page.getByText("O fim vem antes do começo.").waitFor();
  await expect.poll(() => page.getByLabel("Primeiro dia").inputValue()).toBe("2026-11-05");

  await page.goto("/analytics/people?range=90");
  await page.getByRole("table", { name: "Quem continua, por mês de chegada" }).waitFor();
  await page.getByRole("link", { name: "Publicações", exact: true }).last().click();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/analytics/posts");
  await page.getByRole("table", { name: "Por publicação, em tabela" }).waitFor();
});

test("staff see the platform's numbers", async () => {
  const page = await newPage();
  await signIn(page, { login: "carla" });
  await page.goto("/admin/metrics");
  await page.getByRole("img", { name: "Volume bruto" }).waitFor();
  const checkouts = page.getByRole("table", { name: "Compras pagas, por forma" });
  await expect.poll(() => checkouts.getByRole("row").count()).toBeGreaterThan(1);
});
