import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";
import { goOffline, hydrated, openPageAs } from "#tests/support/steps.ts";

const DAY_MS = 86_400_000;

const box = (page: Page) => page.getByRole("textbox", { name: "Mensagem" });
const talk = (page: Page) => page.getByRole("region", { name: /^Conversa com/ });
const said = (page: Page, text: string) =>
  talk(page).getByRole("listitem").filter({ hasText: text });
const deviceTime = async (page: Page) => await page.evaluate<number>("Date.now()");
const onTheWay = (page: Page) => talk(page).getByText(/^(enviando|não enviada)/);
/** The lines without what only the person at the page sees. */
const lines = async (page: Page) =>
  (await talk(page).getByRole("listitem").allInnerTexts()).map((line) =>
    line
      .replaceAll(/\s+|· lida/g, " ")
      .replace(/^.*?: /, "")
      .trim(),
  );

test.each([
  ["ahead", DAY_MS],
  ["behind", -DAY_MS],
])(
  "on a device whose clock is a day %s, times, order, edits, the draft and the outbox are right",
  async (_, offsetMs) => {
    const { origin } = sharedServer();
    const creator = await signUpSeller(origin);
    const fan = await signUpMember(origin, "Bento Reis");
    const started = await fan.postAndFollow(`/messages/new/${creator.username}`, {
      text: "Um",
      clientMessageId: crypto.randomUUID().replaceAll("-", ""),
    });
    const path = started.replace(/#.*/, "");
    await creator.postAndFollow(`${path}/act`, { act: "accept" });
    const theirs = await openPageAs(creator, path);
    const page = await openPageAs(fan, "/messages");
    const right = await deviceTime(page);
    await page.clock.setFixedTime(right + offsetMs);
    await page.goto(path);
    await hydrated(page);
    expect(Math.abs((await deviceTime(page)) - right - offsetMs)).toBeLessThan(60_000);

    await box(page).fill("Dois");
    await box(page).press("Enter");
    await expect.poll(() => onTheWay(page).count()).toBe(0);
    await box(theirs).fill("Três");
    await box(theirs).press("Enter");
    await said(page, "Três").waitFor();
    await page.getByRole("status").filter({ hasText: "Três" }).waitFor();

    await goOffline(page);
    for (const text of ["Quatro", "Cinco"]) {
      await box(page).fill(text);
      await box(page).press("Enter");
    }
    await expect.poll(() => page.getByText(/^não enviada/).count()).toBe(2);
    await box(page).fill("Ainda escrevo");
    await page.goto("about:blank");
    await page.context().setOffline(false);
    await page.goto(path);
    await expect.poll(() => lines(page).then(({ length }) => length)).toBe(5);
    await expect.poll(() => onTheWay(page).count()).toBe(0);
    await expect.poll(() => box(page).inputValue()).toBe("Ainda escrevo");

    // Both devices show the same times, under the day of the server.
    await theirs.reload();
    await hydrated(theirs);
    await expect.poll(() => lines(theirs)).toEqual(await lines(page));
    expect((await lines(page)).map((line) => /^(\w|ê)+/.exec(line)?.[0])).toEqual([
      "Um",
      "Dois",
      "Três",
      "Quatro",
      "Cinco",
    ]);
    await expect.poll(() => talk(page).getByRole("heading", { name: "Hoje" }).count()).toBe(1);
    await page.goto("/messages");
    await page
      .getByRole("link", { name: /Tereza Lira.*agora/ })
      .first()
      .waitFor();

    // The server decides what may still be edited.
    await page.goto(path);
    await hydrated(page);
    await said(page, "Dois").locator("summary").click();
    await said(page, "Dois").getByRole("link", { name: "Editar" }).click();
    await page.getByRole("button", { name: "Salvar" }).waitFor();
    await box(page).fill("Dois e meio");
    await page.getByRole("button", { name: "Salvar" }).click();
    await said(page, "Dois e meio")
      .getByText(/editada/)
      .waitFor();
  },
);
