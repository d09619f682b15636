import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { FormClient, NewMemberInput, SellerClient } from "#tests/support/form-client.ts";
import { picture } from "#tests/support/picture.ts";
import { sharedServer } from "#tests/support/server.ts";
import { goOffline, hydrated, openPageAs, screenshot } from "#tests/support/steps.ts";

let creator: SellerClient;
let fan: FormClient & NewMemberInput;

beforeAll(async () => {
  const { origin } = sharedServer();
  creator = await signUpSeller(origin);
  fan = await signUpMember(origin, "Bento Reis");
});

const box = (page: Page) => page.getByRole("textbox", { name: "Mensagem" });
const send = (page: Page) => page.getByRole("button", { name: "Enviar", exact: true });
const talk = (page: Page) => page.getByRole("region", { name: /^Conversa com/ });
const said = (page: Page, text: string) =>
  talk(page).getByRole("listitem").filter({ hasText: text });

describe("a conversation", () => {
  test("starts on a creator's page, waits in Pedidos, is accepted, and goes on live", async () => {
    const page = await openPageAs(fan, `/space/${creator.username}`, { width: 390, height: 844 });
    await page.getByRole("link", { name: "Mensagem", exact: true }).click();
    await page.getByText("recebe como um pedido").waitFor();
    await box(page).fill("Oi! Dá aula aos sábados?");
    await send(page).click();
    await said(page, "aos sábados").waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/messages\/[0-9a-f]{32}$/);

    const theirs = await openPageAs(creator, "/messages");
    await theirs.getByRole("link", { name: "Pedidos (1)" }).click();
    await theirs.getByRole("link", { name: /aos sábados/ }).click();
    await theirs.getByRole("button", { name: "Aceitar" }).click();
    await theirs.getByRole("button", { name: "Aceitar" }).waitFor({ state: "detached" });
    await hydrated(theirs);
    await box(theirs).fill("Dou, sim!");
    await box(theirs).press("Shift+Enter");
    await box(theirs).pressSequentially("Às dez.");
    await box(theirs).press("Enter");
    await said(theirs, "Às dez.").waitFor();
    await expect.poll(() => box(theirs).inputValue()).toBe("");

    // Nothing was reloaded on the fan's page.
    await said(page, "Dou, sim!").waitFor();
    await page.getByRole("status").filter({ hasText: "Dou, sim!" }).waitFor();
    await said(theirs, "aos sábados").getByText("aos sábados").waitFor();
    await screenshot(page, "messages-phone-390");
  });

  test("sends again what could not be sent, once, and in its order", async () => {
    // The conversation exists: the address leads to it.
    const page = await openPageAs(fan, `/messages/new/${creator.username}`);
    await talk(page).waitFor();
    await goOffline(page);
    await box(page).fill("Primeira sem internet");
    await box(page).press("Enter");
    await page.getByText(/^não enviada/).waitFor();
    await page.getByRole("button", { name: "tentar de novo" }).waitFor();
    await page.context().setOffline(false);
    await page.getByText(/^não enviada/).waitFor({ state: "detached" });
    await box(page).fill("Segunda");
    await box(page).press("Enter");
    await expect.poll(() => talk(page).getByText("enviando").count()).toBe(0);
    const texts = await talk(page).getByRole("listitem").allInnerTexts();
    const order = texts.map((text) => /Primeira|Segunda/.exec(text)?.[0]).filter(Boolean);
    expect(order).toEqual(["Primeira", "Segunda"]);
    await box(page).press("Escape");
    await page.waitForURL((url) => url.pathname === "/messages");
  });

  test("sends what was written without a connection after the page was left, once, and in its order", async () => {
    const page = await openPageAs(fan, `/messages/new/${creator.username}`);
    await talk(page).waitFor();
    await hydrated(page);
    const conversation = page.url();
    await goOffline(page);
    for (const text of ["Offline um", "Offline dois", "Offline três"]) {
      await box(page).fill(text);
      await box(page).press("Enter");
    }
    await expect.poll(() => page.getByText(/^não enviada/).count()).toBe(3);
    await page.goto("about:blank");
    await page.context().setOffline(false);
    await page.goto(conversation);
    await expect
      .poll(() =>
        talk(page)
          .getByText(/^(enviando|não enviada)/)
          .count(),
      )
      .toBe(0);
    const said3 = async () =>
      (await talk(page).getByRole("listitem").allInnerTexts()).flatMap(
        (text) => /Offline (?:um|dois|três)/.exec(text)?.[0] ?? [],
      );
    await expect.poll(said3).toEqual(["Offline um", "Offline dois", "Offline três"]);
    await page.reload();
    await expect.poll(said3).toEqual(["Offline um", "Offline dois", "Offline três"]);
  });

  test("shows why the server refused a message, and lets it be discarded", async () => {
    const page = await openPageAs(fan, `/messages/new/${creator.username}`);
    await talk(page).waitFor();
    await hydrated(page);
    await page.route("**/send", (route) =>
      route.fulfill({ status: 403, json: { error: "Você não pode escrever agora." } }),
    );
    await box(page).fill("Recusada");
    await box(page).press("Enter");
    await page.getByText("Você não pode escrever agora.").waitFor();
    await page.reload();
    await page.getByText("Você não pode escrever agora.").waitFor();
    await page.getByRole("button", { name: "descartar" }).click();
    await page.getByText("Recusada").waitFor({ state: "detached" });
    await page.reload();
    await hydrated(page);
    await expect.poll(() => page.getByText("Recusada").count()).toBe(0);
  });

  test("a sign-out says how many messages wait, and deletes those of its account once it is done", async () => {
    const other = await signUpMember(sharedServer().origin, "Caio Lima");
    const page = await openPageAs(other, `/messages/new/${creator.username}`, {
      width: 1440,
      height: 900,
    });
    await box(page).fill("Oi");
    await send(page).click();
    await talk(page).waitFor();
    await hydrated(page);
    const outboxes = () =>
      page.evaluate(() =>
        Object.keys(localStorage).filter((name) => name.startsWith("coreto-outbox")),
      );
    const ofAnother = "coreto-outbox:another:another";
    await page.evaluate((name) => localStorage.setItem(name, "[{}]"), ofAnother);
    await page.route("**/send", (route) => route.fulfill({ status: 500 }));
    await box(page).fill("Não sai");
    await box(page).press("Enter");
    await expect.poll(async () => (await outboxes()).length).toBe(2);
    await page.getByRole("button", { name: "Sair" }).press("Enter");
    await page.getByText(/^1 mensagem sua ainda não foi enviada\./).waitFor();
    expect(await outboxes()).toHaveLength(2);
    await page.getByRole("button", { name: "Sair e apagar" }).press("Enter");
    await page.waitForURL((url) => url.pathname === "/auth/login");
    await expect.poll(outboxes).toEqual([ofAnother]);
  });

  test("near the limit the field counts, and beyond it nothing is cut and nothing is sent", async () => {
    const page = await openPageAs(fan, `/messages/new/${creator.username}`);
    await talk(page).waitFor();
    await hydrated(page);
    await box(page).fill("a".repeat(4_000));
    await page.getByText("Chegou ao limite de 4.000 caracteres.").waitFor();
    await box(page).fill("a".repeat(4_010));
    await page.getByText("Passou 10 caracteres do limite de 4.000. Encurte para enviar.").waitFor();
    await send(page).click();
    await expect.poll(async () => (await box(page).inputValue()).length).toBe(4_010);
    await expect.poll(() => talk(page).getByText("enviando").count()).toBe(0);
  });

  test("works as plain forms without JavaScript: write, answer, react, edit, delete", async () => {
    const page = await openPageAs(creator, "/messages", { javaScript: false });
    await page
      .getByRole("link", { name: /Bento Reis/ })
      .first()
      .click();
    await box(page).fill("Sem roteiro");
    await send(page).click();
    await said(page, "Sem roteiro").waitFor();
    await page.getByRole("link", { name: "Atualizar" }).click();
    const menu = () => said(page, "Sem roteiro").last().locator("summary").last();
    await menu().click();
    await said(page, "Sem roteiro").last().getByRole("button", { name: "Reagir com 👍" }).click();
    await page.getByRole("button", { name: "Tirar a reação 👍" }).waitFor();
    await menu().click();
    await said(page, "Sem roteiro").last().getByRole("link", { name: "Editar" }).click();
    await box(page).fill("Sem roteiro nenhum");
    await page.getByRole("button", { name: "Salvar" }).click();
    await said(page, "editada").waitFor();
    await menu().click();
    await said(page, "Sem roteiro").last().getByRole("link", { name: "Responder" }).click();
    await box(page).fill("Respondo a mim");
    await send(page).click();
    await said(page, "Respondo a mim").waitFor();
    await said(page, "Sem roteiro").first().locator("summary").last().click();
    await said(page, "Sem roteiro").first().getByRole("link", { name: "Apagar" }).click();
    await page.getByRole("button", { name: "Apagar para todos" }).click();
    await said(page, "Mensagem apagada").first().waitFor();
    await expect.poll(() => talk(page).getByText("Sem roteiro nenhum").count()).toBe(0);
  });
});

test("who is here and who is typing are shown, until one of the two hides it", async () => {
  const page = await openPageAs(fan, `/messages/new/${creator.username}`);
  const theirs = await openPageAs(creator, "/messages", { width: 1440, height: 900 });
  await theirs
    .getByRole("link", { name: /Bento Reis/ })
    .first()
    .click();
  await talk(theirs).getByText("Está aqui agora").waitFor();
  await hydrated(page);
  await box(page).pressSequentially("Vou");
  await talk(theirs).getByText("Bento Reis está digitando…").waitFor();
  await screenshot(theirs, "messages-typing-1440");

  const settings = await openPageAs(fan, "/settings/messages", { javaScript: false });
  await settings.getByRole("checkbox", { name: /Mostrar quando estou aqui/ }).uncheck();
  await settings.getByRole("button", { name: "Salvar" }).click();
  await settings.getByText("Salvo.").waitFor();
  await screenshot(settings, "settings-messages-1280");
  await theirs.reload();
  await box(theirs).waitFor();
  await hydrated(theirs);
  await expect.poll(() => talk(theirs).getByText("Está aqui agora").count()).toBe(0);
});

describe("files", () => {
  const photo = (name: string, seed = 4) => ({
    name,
    mimeType: "image/png",
    buffer: picture(seed, 900, 600),
  });
  const chooser = (page: Page) => page.getByLabel("Fotos, vídeos, áudios ou PDFs");
  const ready = (page: Page) => page.getByText(/^Pronto · /).count();

  test("upload each by itself: one that failed is tried again, one is removed, and the text stays", async () => {
    const page = await openPageAs(fan, `/messages/new/${creator.username}`, {
      width: 390,
      height: 844,
    });
    await hydrated(page);
    await box(page).fill("Três fotos");
    await page.route(/\/files$/, (route) => route.abort(), { times: 1 });
    await page.getByText("Anexar arquivos").click();
    await chooser(page).setInputFiles([photo("um.png")]);
    await page.getByText("A conexão caiu.").waitFor();
    await send(page).click();
    await page.getByText("Um arquivo não foi enviado.").waitFor();
    await page.getByRole("button", { name: "Tentar de novo: um.png" }).click();
    await chooser(page).setInputFiles([photo("dois.png", 5), photo("fora.png", 6)]);
    await expect.poll(() => ready(page)).toBe(3);
    await box(page).evaluate((text) => {
      const data = new DataTransfer();
      data.items.add(new File(["%PDF-1.4"], "colado.pdf", { type: "application/pdf" }));
      text.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    });
    for (const name of ["colado.pdf", "fora.png"])
      await page.getByRole("button", { name: `Remover ${name}` }).click();
    await page.getByRole("textbox", { name: "Descrição de um.png" }).fill("A roda");
    await page.getByRole("textbox", { name: "Descrição de dois.png" }).fill("O portão");
    await expect.poll(() => box(page).inputValue()).toBe("Três fotos");
    await screenshot(page, "messages-several-attached-390");
    await send(page).click();
    const grid = talk(page).getByRole("list", { name: "2 fotos" });
    await grid.waitFor();
    await expect
      .poll(() =>
        grid.getByRole("img").evaluateAll((all) => all.map((one) => one.getAttribute("alt"))),
      )
      .toEqual(["A roda", "O portão"]);
    await expect.poll(() => box(page).inputValue()).toBe("");
    await expect.poll(() => ready(page)).toBe(0);
    await screenshot(page, "messages-several-sent-390");
  });

  test("are sent with a description, without JavaScript too, and seen by the other side", async () => {
    const file = photo("foto.png");
    for (const javaScript of [true, false]) {
      const page = await openPageAs(fan, `/messages/new/${creator.username}`, {
        javaScript,
        width: 390,
        height: 844,
      });
      if (javaScript) await hydrated(page);
      const alt = javaScript ? "A praça cheia" : "A praça vazia";
      await page.getByText("Anexar arquivos").click();
      const field = javaScript ? chooser(page) : page.getByLabel(/^Arquivos/);
      await field.setInputFiles(file);
      if (javaScript) await expect.poll(() => ready(page)).toBe(1);
      await page.getByRole("textbox", { name: "Descrição" }).fill(alt);
      await box(page).fill("Olha só");
      if (javaScript) await screenshot(page, "messages-attach-390");
      await send(page).click();
      await talk(page).getByRole("img", { name: alt }).waitFor();
      if (javaScript) await expect.poll(() => box(page).inputValue()).toBe("");
      if (javaScript) await screenshot(page, "messages-photo-390");
    }
    const theirs = await openPageAs(creator, "/messages", { width: 1440, height: 900 });
    await theirs
      .getByRole("link", { name: /Bento Reis/ })
      .first()
      .click();
    const image = talk(theirs).getByRole("img", { name: "A praça cheia" });
    await image.scrollIntoViewIfNeeded();
    await expect
      .poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth))
      .toBeGreaterThan(0);
    const address = await image.getAttribute("src");
    const stranger = await openPageAs(
      await signUpMember(sharedServer().origin, "Rita Paz"),
      "/messages",
    );
    expect((await stranger.request.get(address ?? "")).status()).toBe(404);
  });

  test("is recorded here, heard before it is sent, and played by the other side", async () => {
    const page = await openPageAs(fan, "/messages", { width: 390, height: 844 });
    // The sound of a machine without a microphone.
    await page.addInitScript(() => {
      navigator.mediaDevices.getUserMedia = async () => {
        const audio = new AudioContext();
        const tone = audio.createOscillator();
        const out = audio.createMediaStreamDestination();
        tone.connect(out);
        tone.start();
        return out.stream;
      };
    });
    await page.goto(`/messages/new/${creator.username}`);
    await hydrated(page);
    // A file that was chosen before waits, and is not sent with the audio.
    await page.getByText("Anexar arquivos").click();
    await chooser(page).setInputFiles(photo("coreto.png"));
    await page.getByText(/^Pronto · /).waitFor();
    const description = page.getByRole("textbox", { name: "Descrição de coreto.png" });
    await description.fill("O coreto vazio");
    await page.getByRole("button", { name: "Gravar áudio" }).click();
    await expect.poll(() => page.getByText("coreto.png").first().isVisible()).toBe(false);
    await page.getByRole("button", { name: "Parar · 0:01" }).click();
    await page.getByText("Ouça antes de enviar.").waitFor();
    await screenshot(page, "messages-recorded-390");
    await page.getByRole("button", { name: "Descartar" }).click();
    await page.getByText(/^Pronto · /).waitFor();
    await page.getByRole("button", { name: "Gravar áudio" }).click();
    await page.getByRole("button", { name: "Parar · 0:01" }).click();
    await page.getByRole("button", { name: "Ouvir" }).waitFor();
    await send(page).click();
    await talk(page).getByRole("group", { name: "Áudio" }).waitFor();
    await page.getByRole("button", { name: "Gravar áudio" }).waitFor();
    await page.getByText(/^Pronto · /).waitFor();
    await expect.poll(() => description.inputValue()).toBe("O coreto vazio");
    const sent = talk(page).getByRole("img", { name: "O coreto vazio" });
    await expect.poll(() => sent.count()).toBe(0);

    const theirs = await openPageAs(creator, page.url().replace(/#.*/, ""));
    const player = talk(theirs).getByRole("group", { name: "Áudio" });
    await player.getByRole("button", { name: "Velocidade: 1×" }).click();
    await player.getByRole("button", { name: "Velocidade: 1,5×" }).waitFor();
    await player.getByRole("button", { name: "Ouvir" }).click();
    await expect.poll(() => player.getByRole("button", { name: "Pausar" }).count()).toBe(1);
    await screenshot(theirs, "messages-audio-1280");
  });

  test("says what to do when the microphone is not allowed", async () => {
    const page = await openPageAs(fan, `/messages/new/${creator.username}`);
    await hydrated(page);
    await page.evaluate(() => {
      navigator.mediaDevices.getUserMedia = async () => {
        throw new DOMException("", "NotAllowedError");
      };
    });
    await page.getByRole("button", { name: "Gravar áudio" }).click();
    await page.getByText("O navegador não deixou usar o microfone.").waitFor();
    await page.getByRole("button", { name: "Fechar" }).click();
    await expect.poll(() => page.getByText("Anexar arquivo").count()).toBe(1);
  });
});

test("two columns on a desktop, two screens on a phone, in light and dark", async () => {
  for (const [width, theme] of [
    [390, "light"],
    [390, "dark"],
    [1440, "light"],
    [1440, "dark"],
  ] as const) {
    const page = await openPageAs(creator, "/messages", { width, height: 900, theme });
    if (theme === "dark") await page.evaluate(() => document.documentElement.classList.add("dark"));
    const link = page.locator('a[href^="/messages/"]').filter({ hasText: "Bento Reis" });
    await link.waitFor();
    await screenshot(page, `messages-list-${theme}-${width}`);
    await link.click();
    await box(page).waitFor();
    await expect.poll(() => link.isVisible()).toBe(width === 1440);
    await talk(page).locator("summary").nth(1).click();
    await screenshot(page, `messages-open-${theme}-${width}`);
  }
});
