import type { Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { MemberClient, SellerClient } from "#tests/support/form-client.ts";
import { focusedName, tabTo } from "#tests/support/keyboard.ts";
import { sharedServer } from "#tests/support/server.ts";
import { hydrated, openPageAs, screenshot } from "#tests/support/steps.ts";

let creator: SellerClient;

beforeEach(async () => {
  creator = await signUpSeller(sharedServer().origin);
});

/** A member who wrote to the creator, and the path of the conversation. */
async function stranger(name: string): Promise<MemberClient & { path: string }> {
  const member = await signUpMember(sharedServer().origin, name);
  const started = await member.postAndFollow(`/messages/new/${creator.username}`, {
    text: `Oi, aqui é ${name}`,
    clientMessageId: crypto.randomUUID().replaceAll("-", ""),
  });
  return { ...member, path: started.replace(/#.*/, "") };
}
async function fan(name: string): Promise<MemberClient & { path: string }> {
  const member = await stranger(name);
  await creator.postAndFollow(`${member.path}/act`, { act: "accept" });
  return member;
}

const talk = (page: Page) => page.getByRole("region", { name: /^Conversa com/ });
const said = (page: Page, text: string) =>
  talk(page).getByRole("listitem").filter({ hasText: text });
const pathOf = (page: Page) => new URL(page.url()).pathname;
const expectFocus = async (page: Page, name: RegExp) =>
  await expect.poll(() => focusedName(page)).toMatch(name);

describe("by keyboard alone", () => {
  test.each([1440, 390])(
    "one moves between conversations, writes, answers, reacts, edits and leaves, %d wide",
    async (width) => {
      const [bento, clara] = [await fan("Bento Reis"), await fan("Clara Nunes")];
      const page = await openPageAs(creator, "/messages", { width, height: 900 });
      await page.keyboard.press("j");
      await expectFocus(page, /Clara Nunes/);
      await page.keyboard.press("ArrowDown");
      await expectFocus(page, /Bento Reis/);
      await page.keyboard.press("k");
      await expectFocus(page, /Clara Nunes/);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.pathname === bento.path);
      await expectFocus(page, /^Mensagem$/);

      await page.keyboard.type("Primeira linha");
      await page.keyboard.press("Shift+Enter");
      await page.keyboard.type("segunda linha");
      await page.keyboard.press("Enter");
      await said(page, "segunda linha").getByText("enviando").waitFor({ state: "detached" });
      await expect
        .poll(async () => await said(page, "Primeira linha").innerText())
        .toMatch(/Primeira linha\s+segunda linha/);
      await expectFocus(page, /^Mensagem$/);

      // The latest is on top of the list now.
      const first = page.locator("a[data-conversation]").first();
      await expect.poll(() => first.textContent()).toMatch(/Bento Reis/);
      await page.keyboard.press("Alt+ArrowDown");
      await page.waitForURL((url) => url.pathname === clara.path);
      await expectFocus(page, /^Mensagem$/);
      await page.keyboard.press("Alt+ArrowUp");
      await page.waitForURL((url) => url.pathname === bento.path);
      await expectFocus(page, /^Mensagem$/);

      await tabTo(page, /^Opções da mensagem 2$/, "Shift+Tab");
      await page.keyboard.press("Enter");
      await tabTo(page, /^Reagir com 👍$/);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Tirar a reação 👍" }).waitFor();
      await expectFocus(page, /^Opções da mensagem 2$/);

      await page.keyboard.press("Enter");
      await page.keyboard.press("Escape");
      await expectFocus(page, /^Opções da mensagem 2$/);
      expect(pathOf(page)).toBe(bento.path);
      await page.keyboard.press("Enter");
      await tabTo(page, /^Editar$/);
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.pathname.endsWith("/2/edit"));
      await tabTo(page, /^Mensagem/);
      await page.keyboard.press("Control+a");
      await page.keyboard.type("Mudei");
      await tabTo(page, /^Salvar$/);
      await page.keyboard.press("Enter");
      await said(page, "Mudei")
        .getByText(/editada/)
        .waitFor();

      await tabTo(page, /^Opções da mensagem 1$/);
      await page.keyboard.press("Enter");
      await tabTo(page, /^Responder$/);
      await page.keyboard.press("Enter");
      await page.getByText(/^Em resposta a:/).waitFor();
      await expectFocus(page, /^Mensagem$/);
      await page.keyboard.press("Escape");
      await page.getByText(/^Em resposta a:/).waitFor({ state: "detached" });
      expect(pathOf(page)).toBe(bento.path);
      await page.keyboard.press("Escape");
      await page.waitForURL((url) => url.pathname === "/messages");
      await expectFocus(page, /Bento Reis/);

      await page.keyboard.press("?");
      await page.getByRole("row", { name: /Próxima conversa/ }).waitFor();
      await screenshot(page, `messages-keys-${width}`);
    },
  );

  test("Escape leaves from outside of the field too, and a click opens without taking the focus", async () => {
    const bento = await fan("Bento Reis");
    const page = await openPageAs(creator, "/messages", { width: 1440, height: 900 });
    await page
      .getByRole("link", { name: /Bento Reis/ })
      .first()
      .click();
    await page.waitForURL((url) => url.pathname === bento.path);
    await talk(page).waitFor();
    await expect.poll(() => focusedName(page)).not.toMatch(/^Mensagem$/);
    await tabTo(page, /^Opções da conversa$/);
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => url.pathname === "/messages");
    await expectFocus(page, /Bento Reis/);
  });
});

describe("requests", () => {
  test("are opened, accepted, refused and blocked by keyboard", async () => {
    const asked = [
      await stranger("Bento Reis"),
      await stranger("Clara Nunes"),
      await stranger("Davi Melo"),
    ];
    const page = await openPageAs(creator, "/messages", { width: 390, height: 844 });
    const open = async (name: RegExp) => {
      await tabTo(page, /^Pedidos/);
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.search === "?filter=requests");
      await tabTo(page, name);
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.pathname !== "/messages");
      await expectFocus(page, /^Mensagem$/);
    };
    await open(/Bento Reis/);
    await tabTo(page, /^Aceitar$/, "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Aceitar" }).waitFor({ state: "detached" });
    await page.goto("/messages");
    await hydrated(page);
    await open(/Clara Nunes/);
    await tabTo(page, /^Recusar$/, "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === "/messages");
    await open(/Davi Melo/);
    await tabTo(page, /^Bloquear$/, "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname.endsWith("/block"));
    await tabTo(page, /^Bloquear/);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/settings/connections**");
    await expectEnds(page, asked);
  });

  test("are accepted, refused and blocked without JavaScript", async () => {
    const asked = [
      await stranger("Bento Reis"),
      await stranger("Clara Nunes"),
      await stranger("Davi Melo"),
    ];
    const page = await openPageAs(creator, "/messages", { javaScript: false });
    const open = async (name: RegExp) => {
      await page.goto("/messages");
      await page.getByRole("link", { name: /^Pedidos/ }).click();
      await page.getByRole("link", { name }).first().click();
    };
    await open(/Bento Reis/);
    await page.getByRole("button", { name: "Aceitar" }).click();
    await page.getByRole("button", { name: "Aceitar" }).waitFor({ state: "detached" });
    await open(/Clara Nunes/);
    await page.getByRole("button", { name: "Recusar" }).click();
    await page.waitForURL((url) => url.pathname === "/messages");
    await open(/Davi Melo/);
    await talk(page).getByRole("link", { name: "Bloquear" }).first().click();
    await page.getByRole("button", { name: "Bloquear" }).click();
    await page.waitForURL("**/settings/connections**");
    await expectEnds(page, asked);
  });
});

/** The first was accepted, the second refused, the third blocked. */
async function expectEnds(page: Page, asked: (MemberClient & { path: string })[]): Promise<void> {
  await page.goto("/messages");
  await page
    .getByRole("link", { name: /Bento Reis/ })
    .first()
    .waitFor();
  await expect.poll(() => page.getByText(/Clara Nunes|Davi Melo/).count()).toBe(0);
  await page.goto("/messages?filter=requests");
  await page.getByRole("heading", { name: "Nenhum pedido" }).waitFor();
  // Nothing tells who was refused; who was blocked finds nothing.
  const [bento, clara, davi] = asked;
  for (const [member, status] of [
    [bento, 200],
    [clara, 200],
    [davi, 404],
  ] as const)
    expect((await member?.get(member.path))?.status).toBe(status);
  if (!clara) throw new Error("nobody was refused");
  const theirs = await openPageAs(clara, clara.path, { javaScript: false });
  await said(theirs, "Oi, aqui é Clara Nunes").waitFor();
  await expect
    .poll(() =>
      talk(theirs)
        .getByText(/· lida|recusad/)
        .count(),
    )
    .toBe(0);
}

describe("a message to many people", () => {
  test("is written, previewed, scheduled, moved and canceled by keyboard on a phone", async () => {
    const bento = await fan("Bento Reis");
    await bento.post(`/space/${creator.username}/follow`, { follow: "true" });
    const page = await openPageAs(creator, "/messages", { width: 390, height: 844 });
    await tabTo(page, /^Mensagem para muitos$/);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/messages/broadcasts");
    await tabTo(page, /^Nova mensagem$/);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/broadcasts/new");
    await page.getByRole("radio").first().waitFor();
    await tabTo(page, /assinantes/i);
    for (let step = 0; !(await focusedName(page)).startsWith("Seguidores"); step += 1) {
      expect(step).toBeLessThan(9);
      await page.keyboard.press("ArrowDown");
    }
    await tabTo(page, /^Mensagem/);
    await page.keyboard.type("Oi, {nome}! Sábado tem roda.");
    await tabTo(page, /^Ver antes de enviar$/);
    await page.keyboard.press("Enter");
    await page.getByText("Oi, Maria! Sábado tem roda.").waitFor();
    await page.getByText("Seguidores: 1 pessoa").waitFor();
    const draft = pathOf(page);

    await tabTo(page, /^Enviar em/);
    // The parts of the date, in the order of the locale, and then the time.
    await page.keyboard.type("12112026");
    await page.keyboard.press("Tab");
    await page.keyboard.type("1800");
    await tabTo(page, /^Enviar$/);
    await page.keyboard.press("Enter");
    await page.getByText("Agendada", { exact: true }).first().waitFor();
    await tabTo(page, /^Cancelar$/);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${draft}/cancellation`);
    await tabTo(page, /^Cancelar a mensagem$/);
    await page.keyboard.press("Enter");
    await page.getByText("Cancelada", { exact: true }).first().waitFor();
    await screenshot(page, "broadcast-canceled-390");
  });

  test("is scheduled, moved, sent and counted without JavaScript, and its page is refreshed by a link", async () => {
    const bento = await fan("Bento Reis");
    await bento.post(`/space/${creator.username}/follow`, { follow: "true" });
    const page = await openPageAs(creator, "/messages/broadcasts/new", { javaScript: false });
    await page.getByRole("radio", { name: /Seguidores/ }).check();
    await page.getByRole("textbox", { name: "Mensagem" }).fill("Oi, {nome}!");
    await page.getByRole("button", { name: "Ver antes de enviar" }).click();
    await page.getByText("Oi, Maria!").waitFor();
    await page.getByLabel(/^Enviar em/).fill("2020-01-01T10:00");
    await page.getByRole("button", { name: "Enviar", exact: true }).click();
    await page.getByRole("link", { name: "Voltar à mensagem" }).waitFor();
    await expect.poll(() => page.getByLabel(/^Enviar em/).inputValue()).toBe("2020-01-01T10:00");
    await page.getByLabel(/^Enviar em/).fill("2026-11-12T18:00");
    await page.getByRole("button", { name: "Enviar", exact: true }).click();
    await page.getByText("Agendada", { exact: true }).first().waitFor();
    await page.getByLabel(/^Enviar em/).fill("");
    await page.getByRole("button", { name: "Enviar", exact: true }).click();
    await expect
      .poll(async () => {
        const refresh = page.getByRole("link", { name: "Atualizar" });
        if ((await refresh.count()) > 0) await refresh.click();
        return await page.getByText("Enviada", { exact: true }).count();
      })
      .toBeGreaterThan(0);
    expect(await (await bento.get(bento.path)).text()).toContain("Oi, Bento!");
    await page.reload();
    await expect
      .poll(() => page.getByRole("definition").allInnerTexts())
      .toEqual(["1", "1", "100%", "0", "0%"]);
  });
});
