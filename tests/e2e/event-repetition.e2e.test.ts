import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { MemberClient, SellerClient } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";
import { hydrated, openPageAs, screenshot } from "#tests/support/steps.ts";

let creator: SellerClient;
let fan: MemberClient;

beforeAll(async () => {
  const { origin } = sharedServer();
  creator = await signUpSeller(origin);
  fan = await signUpMember(origin, "Bento Reis");
});

/** A single event on a Tuesday. Returns its path. */
async function publishSingle(page: Page): Promise<string> {
  await page.getByLabel("Título").fill("Roda de uma noite");
  await page.getByLabel("Começa").fill("2027-08-10T20:00");
  await page.getByLabel("Termina").fill("2027-08-10T22:00");
  await page.getByLabel("Lugar").fill("Praça da Matriz, Olinda");
  await page.getByRole("button", { name: "Publicar evento" }).click();
  await page.waitForURL(/\/events\/[0-9a-f]{32}$/);
  return new URL(page.url()).pathname;
}

/** The days of the list "Próximas datas". */
const shownDates = async (page: Page): Promise<string[]> =>
  (
    await page.getByRole("region", { name: "Próximas datas" }).getByRole("link").allInnerTexts()
  ).map((text) => /\d+ de \p{L}+/u.exec(text)?.[0] ?? text);

/** Moves the focus on by Tab until the element has it. */
async function tabTo(page: Page, isThere: () => Promise<boolean>): Promise<void> {
  for (let left = 60; left > 0; left -= 1) {
    if (await isThere()) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("Tab does not lead there");
}

const isFocused = (page: Page, selector: string) => () =>
  page.evaluate((one) => document.activeElement?.matches(one) ?? false, selector);

test("a single event begins to repeat by keyboard alone, and the rule changes from a date on", async () => {
  const page = await openPageAs(creator, "/events/create", { width: 390, height: 844 });
  await hydrated(page);
  const path = await publishSingle(page);
  await page.goto(`${path}/edit`);
  await hydrated(page);
  await tabTo(page, isFocused(page, `a[href="${path}/repetition"]`));
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Repetir evento" }).waitFor();
  await page.getByText("O evento é terça-feira, 10 de agosto de 2027", { exact: false }).waitFor();

  await tabTo(page, isFocused(page, "select[name=repeat]"));
  await page.keyboard.type("Toda semana");
  await expect.poll(() => page.getByLabel("Repetir").inputValue()).toBe("weekly");
  await tabTo(page, isFocused(page, "input[name=repeatEnds]"));
  await page.keyboard.press("ArrowDown");
  await tabTo(page, isFocused(page, "input[name=repeatTimes]"));
  await page.keyboard.type("900");
  await page.keyboard.press("Enter");
  await page.getByText("de 2 a 366", { exact: false }).first().waitFor();
  await expect.poll(isFocused(page, "input[name=repeatTimes]")).toBe(true);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("4");
  await page.getByText("4 datas. As próximas:").waitFor();
  await screenshot(page, "event-repetition-390");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${path}`);
  await page.getByText("Repetição salva.").first().waitFor();
  await page.getByText("Toda semana: terça-feira, 4 vezes.").waitFor();
  await expect
    .poll(() => shownDates(page))
    .toEqual(["17 de agosto", "24 de agosto", "31 de agosto"]);
  const dates = page.getByRole("region", { name: "Próximas datas" });

  // A fan has a seat on the 24th, so that it cannot go.
  const theirs = await openPageAs(fan, path, { javaScript: false });
  await theirs.getByRole("link", { name: /24 de agosto/ }).click();
  await theirs.getByRole("button", { name: "Vou" }).click();
  await theirs.getByRole("heading", { name: "O seu ingresso" }).waitFor();

  await dates.getByRole("link", { name: /17 de agosto/ }).click();
  await page.waitForURL((url) => url.pathname !== path);
  const second = new URL(page.url()).pathname;
  await page.goto(`${second}/repetition`);
  await hydrated(page);
  await page
    .getByText("A nova repetição vale a partir de terça-feira, 17 de agosto", { exact: false })
    .waitFor();
  await page.getByLabel("Repetir").selectOption({ label: "A cada duas semanas" });
  await page.getByRole("button", { name: "Salvar repetição" }).click();
  await page.getByText("24 de agosto de 2027", { exact: false }).getByText("alguém").waitFor();
  await expect.poll(() => page.getByLabel("Repetir").inputValue()).toBe("biweekly");

  // Without JavaScript: the days are shown first, and then saved.
  const plain = await openPageAs(creator, `${second}/repetition`, {
    width: 390,
    height: 844,
    javaScript: false,
  });
  await plain.getByLabel("Repetir").selectOption({ label: "Todo dia" });
  await plain.getByLabel("Quantas vezes").fill("8");
  await plain.getByRole("button", { name: "Ver as datas" }).click();
  await plain.getByText("8 datas. As próximas:").waitFor();
  await plain.getByRole("button", { name: "Salvar repetição" }).click();
  await plain.getByText("Todo dia, 8 vezes.").waitFor();
  // The first date stays before those of the new rule; the 31st is no longer one of them.
  await expect
    .poll(() => shownDates(plain))
    .toEqual(["10", "18", "19", "20", "21", "22"].map((day) => `${day} de agosto`));
  await theirs.goto("/events");
  await theirs
    .getByRole("link", { name: /Roda de uma noite/ })
    .first()
    .waitFor();
});
