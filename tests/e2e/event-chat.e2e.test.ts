import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { MINUTE_MS, TIME_ZONE } from "#app/domain/time.ts";
import { testClock } from "#tests/support/clock.ts";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { MemberClient, SellerClient } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";
import { hydrated, openPageAs, screenshot } from "#tests/support/steps.ts";

let creator: SellerClient;
let fan: MemberClient;
let outsider: MemberClient;

beforeAll(async () => {
  const { origin } = sharedServer();
  creator = await signUpSeller(origin);
  fan = await signUpMember(origin, "Bento Reis");
  outsider = await signUpMember(origin, "Caio Luz");
});

const chat = (page: Page) => page.getByRole("region", { name: "Chat do evento" });
const box = (page: Page) => chat(page).getByRole("textbox", { name: "Mensagem" });
const line = (page: Page, text: string) =>
  chat(page).getByRole("listitem").filter({ hasText: text });
/** The wall time in São Paulo so many minutes from now, as a form takes it. */
const wallIn = (minutes: number): string =>
  new Date(testClock.now() + minutes * MINUTE_MS)
    .toLocaleString("sv-SE", { timeZone: TIME_ZONE })
    .replace(" ", "T")
    .slice(0, 16);

async function publishLive(page: Page): Promise<string> {
  await page.goto("/events/create");
  await hydrated(page);
  await page.getByLabel("Título").fill("Ensaio ao vivo");
  await page.getByLabel("Começa").fill(wallIn(10));
  await page.getByLabel("Termina").fill(wallIn(70));
  await page.getByLabel("Link (opcional)").fill("https://www.youtube.com/watch?v=aqz-KE-bpKQ");
  await page.getByRole("button", { name: "Publicar evento" }).click();
  await page.waitForURL(/\/events\/[0-9a-f]{32}$/);
  return new URL(page.url()).pathname;
}

test(
  "who has a seat talks beside the video, live and by a plain form, and its creator deletes a line",
  { timeout: 180_000 },
  async () => {
    const studio = await openPageAs(creator, "/events", { width: 1440, height: 900 });
    const path = await publishLive(studio);
    const page = await openPageAs(fan, path, { width: 390, height: 844 });
    await page.getByRole("button", { name: "Vou" }).click();
    await page.waitForURL(/\/ticket/);
    await page.goto(`${path}/live`);
    await studio.goto(`${path}/live`);
    for (const one of [page, studio]) await hydrated(one);
    await box(page).fill("Cheguei, o som está bom");
    await box(page).press("Enter");
    await line(page, "o som está bom").getByText("você").waitFor();
    await expect.poll(() => box(page).inputValue()).toBe("");

    // Nothing is reloaded on the other page, and a screen reader hears it once.
    await line(studio, "o som está bom").waitFor();
    await chat(studio).getByRole("status").filter({ hasText: "Bento Reis: Cheguei" }).waitFor();
    await box(studio).fill("Bem-vindo!");
    await chat(studio).getByRole("button", { name: "Enviar" }).click();
    await line(page, "Bem-vindo!").getByText("faz o evento").waitFor();

    // The fan answers by keyboard: what was typed stays, and the field has the focus.
    await box(page).fill("Obrigado");
    await line(page, "Bem-vindo!").locator("summary").press("Enter");
    await line(page, "Bem-vindo!").getByRole("link", { name: "Responder" }).press("Enter");
    await chat(page).getByText("Em resposta a: Bem-vindo!").waitFor();
    await expect.poll(() => box(page).evaluate((one) => document.activeElement === one)).toBe(true);
    await expect.poll(() => box(page).inputValue()).toBe("Obrigado");
    await box(page).press("Enter");
    await line(studio, "Obrigado").getByText("Você: Bem-vindo!").waitFor();
    await expect.poll(() => chat(page).getByText("Em resposta a").count()).toBe(0);

    // A reaction is seen on the other page, and taken back there.
    await line(studio, "Obrigado").locator("summary").press("Enter");
    await line(studio, "Obrigado").getByRole("button", { name: "Reagir com ❤️" }).press("Enter");
    await line(page, "Obrigado")
      .getByRole("button", { name: "Reagir também com ❤️" })
      .press("Enter");
    await line(studio, "Obrigado").getByRole("button", { name: "Tirar a reação ❤️ 2" }).waitFor();
    await line(page, "Obrigado")
      .getByRole("button", { name: "Tirar a reação ❤️ 2" })
      .press("Enter");
    await line(studio, "Obrigado")
      .getByRole("button", { name: "Tirar a reação ❤️", exact: true })
      .waitFor();

    await line(page, "Obrigado").locator("summary").press("Enter");
    const first = line(page, "Obrigado").getByRole("button", { name: "Reagir com 👍" });
    // The whole menu is in sight, in a list that is shorter than the page.
    await expect
      .poll(() =>
        first.evaluate((one) => {
          const { left, top, height } = one.getBoundingClientRect();
          return one.contains(document.elementFromPoint(left + 4, top + height / 2));
        }),
      )
      .toBe(true);
    await screenshot(page, "event-chat-menu-390");
    await line(page, "Obrigado").getByRole("link", { name: "Editar" }).press("Enter");
    await page.getByRole("heading", { name: "Editar mensagem" }).waitFor();
    await page.getByLabel("Mensagem").fill("Obrigado, Ana");
    await page.getByRole("button", { name: "Salvar" }).click();
    await page.waitForURL(/\/live/);
    await line(studio, "Obrigado, Ana").getByText("editada").waitFor();
    await screenshot(page, "event-chat-390");
    await screenshot(studio, "event-chat-1440");

    const plain = await openPageAs(fan, `${path}/live`, { javaScript: false });
    await box(plain).fill("Sem JavaScript");
    await chat(plain).getByRole("button", { name: "Enviar" }).click();
    await line(plain, "Sem JavaScript").waitFor();
    await line(studio, "Sem JavaScript").waitFor();

    await line(studio, "Sem JavaScript").locator("summary").press("Enter");
    await line(studio, "Sem JavaScript").getByRole("link", { name: "Apagar" }).press("Enter");
    await studio.getByRole("button", { name: "Apagar para todos" }).click();
    await line(page, "Mensagem apagada").waitFor();
    await expect.poll(() => line(page, "Sem JavaScript").count()).toBe(0);

    const closed = await openPageAs(outsider, `${path}/live`);
    await closed.getByText("O vídeo é de quem tem vaga").waitFor();
    await expect.poll(() => chat(closed).count()).toBe(0);
  },
);

test("a running video keeps running while its chat is refreshed", async () => {
  const page = await openPageAs(creator, "/events");
  const path = await publishLive(page);
  await page.goto(`${path}/live`);
  await hydrated(page);
  await page.getByRole("button", { name: "Carregar vídeo" }).click();
  const player = page.locator("iframe[title='Vídeo ao vivo']");
  await player.evaluate((frame) => frame.setAttribute("data-running", "since the press"));
  const write = async (text: string): Promise<void> => {
    const plain = await openPageAs(creator, `${path}/live`, { javaScript: false });
    await box(plain).fill(text);
    await chat(plain).getByRole("button", { name: "Enviar" }).click();
    await line(plain, text).waitFor();
  };
  const refresh = chat(page).getByRole("link", { name: "Atualizar o chat" });

  await page.context().setOffline(true);
  await refresh.click();
  await page.getByText("Não deu para atualizar o chat.", { exact: false }).first().waitFor();
  await write("Escrito enquanto isso");
  await page.context().setOffline(false);
  await refresh.press("Enter");
  await line(page, "Escrito enquanto isso").waitFor();
  await expect.poll(() => player.getAttribute("data-running")).toBe("since the press");

  // Without JavaScript the same link loads the page again, with the video open.
  const plain = await openPageAs(creator, `${path}/live?video=1`, { javaScript: false });
  await write("Sem scripts");
  await chat(plain).getByRole("link", { name: "Atualizar o chat" }).click();
  await line(plain, "Sem scripts").waitFor();
  await plain.locator("iframe[title='Vídeo ao vivo']").waitFor();
});
