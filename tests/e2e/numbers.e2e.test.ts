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

test("a chart is read by keyboard and by pointer, and the chosen days are shown alone", async () => {
  const page = await newPage({ width: 1440 });
  await signIn(page, { login: "ana" });
  await page.goto("/analytics?range=28");
  const reader = page.getByRole("slider", { name: /^Percorrer o gráfico: Quanto você recebeu/ });
  await reader.focus();
  await page.keyboard.press("Home");
  const first = await reader.getAttribute("aria-valuetext");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => reader.getAttribute("aria-valuetext")).not.toBe(first);
  await expect.poll(() => reader.getAttribute("aria-valuenow")).toBe("2");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await page.getByRole("link", { name: "Ver só estes dias" }).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("link", { name: "Ver só estes dias" }).count()).toBe(0);

  await reader.scrollIntoViewIfNeeded();
  const box = await reader.boundingBox();
  if (!box) throw new Error("the chart is not there");
  const [left, middle] = [box.x + box.width * 0.1, box.y + box.height / 2];
  await page.mouse.move(left, middle);
  await expect.poll(() => page.locator("[data-chart-tip]").textContent()).toContain("R$");
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, middle, { steps: 5 });
  await page.mouse.up();
  await page.getByRole("link", { name: "Ver só estes dias" }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get("range")).toBe("own");
  await expect
    .poll(() => {
      const { searchParams } = new URL(page.url());
      const [from, until] = ["from", "until"].map((name) =>
        Date.parse(searchParams.get(name) ?? ""),
      );
      return ((until ?? 0) - (from ?? 0)) / 86_400_000;
    })
    .toBe(12);
});
