import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { FormClient, NewMemberInput, SellerClient } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";
import { hydrated, openPageAs, screenshot } from "#tests/support/steps.ts";

let creator: SellerClient;
let fan: FormClient & NewMemberInput;
let other: FormClient & NewMemberInput;

beforeAll(async () => {
  const { origin } = sharedServer();
  creator = await signUpSeller(origin);
  fan = await signUpMember(origin, "Bento Reis");
  other = await signUpMember(origin, "Clara Nunes");
});

const posted = (title: string, more: Record<string, string> = {}) =>
  creator.postAndFollow("/post/create", {
    title,
    content: "Contem aqui.",
    ways: "public",
    ...more,
  });

const conversation = (page: Page) => page.getByRole("region", { name: "Comentários" });
/** Finds the comment or reply whose own text is `words`, not the one that it answers. */
const said = (page: Page, words: string) =>
  conversation(page).getByRole("listitem").filter({ hasText: words }).last();
const menu = async (page: Page, words: string, item: string) => {
  await said(page, words).locator("summary").last().click();
  await said(page, words).getByRole("button", { name: item }).last().click();
};

describe("comments below a post", () => {
  test("are written, answered with a mention that notifies, edited, deleted and restored by keyboard on a phone", async () => {
    const path = await posted("Qual foi o seu primeiro forró?");
    const page = await openPageAs(fan, path, { width: 390, height: 844 });
    await page.getByLabel("Seu comentário").focus();
    await page.keyboard.type("Foi em Caruaru, em 1998.");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await said(page, "Foi em Caruaru").getByText("agora").waitFor();
    await expect.poll(() => page.getByLabel("Seu comentário").inputValue()).toBe("");

    const answering = await openPageAs(other, path);
    await said(answering, "Foi em Caruaru")
      .getByRole("link", { name: "Responder a Bento Reis" })
      .focus();
    await answering.keyboard.press("Enter");
    await expect
      .poll(() => answering.evaluate(() => document.activeElement?.tagName))
      .toBe("TEXTAREA");
    await answering.keyboard.type(`Eu também, @${fan.username}!`);
    await answering.getByRole("button", { name: "Responder", exact: true }).click();
    await said(answering, "Eu também")
      .getByRole("link", { name: `@${fan.username}` })
      .waitFor();
    await answering.context().close();

    await page.reload();
    await hydrated(page);
    await said(page, "Eu também").waitFor();
    await said(page, "Foi em Caruaru").locator("summary").first().click();
    await page.getByRole("link", { name: "Editar", exact: true }).click();
    const editing = conversation(page).getByLabel("Seu comentário").last();
    await editing.fill("Foi em Caruaru, em 1997.");
    await page.getByRole("button", { name: "Salvar" }).click();
    await conversation(page).getByText("editado").waitFor();
    await said(page, "em 1997").waitFor();
    await screenshot(page, "conversation-390-light");

    await conversation(page).getByRole("listitem").first().locator("summary").first().click();
    await conversation(page).getByRole("button", { name: "Apagar" }).first().click();
    await conversation(page).getByText("Você apagou este comentário.").waitFor();
    await said(page, "Eu também").waitFor();
    await conversation(page).getByRole("button", { name: "Desfazer" }).click();
    await said(page, "em 1997").waitFor();
    await page.goto("/notifications");
    await expect
      .poll(
        async () => {
          await page.reload();
          return page.getByText(/Clara Nunes/).count();
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(0);
  });

  test("are moderated by the post's creator: pinned, hidden, shown again, closed and opened", async () => {
    const path = await posted("Roda aberta");
    const page = await openPageAs(fan, path);
    for (const words of ["Primeiro comentário", "Segundo comentário"]) {
      await page.getByLabel("Seu comentário").fill(words);
      await page.getByRole("button", { name: "Comentar" }).click();
      await said(page, words).getByText("agora").waitFor();
    }
    const host = await openPageAs(creator, path);
    await menu(host, "Primeiro comentário", "Fixar no topo");
    await conversation(host).getByText("Fixado").waitFor();
    await expect
      .poll(async () =>
        (await conversation(host).getByRole("listitem").first().innerText()).includes(
          "Primeiro comentário",
        ),
      )
      .toBe(true);
    await menu(host, "Segundo comentário", "Esconder de todo mundo");
    await said(host, "Segundo comentário").getByText("Escondido").waitFor();
    const stranger = await openPageAs(other, path);
    await said(stranger, "Primeiro comentário").waitFor();
    await expect.poll(() => conversation(stranger).getByText("Segundo comentário").count()).toBe(0);
    await menu(host, "Segundo comentário", "Mostrar de novo");
    await expect
      .poll(async () => {
        await stranger.reload();
        return conversation(stranger).getByText("Segundo comentário").count();
      })
      .toBe(1);
    await host.getByRole("button", { name: "Fechar comentários" }).click();
    await host.getByText("Os comentários desta publicação estão fechados.").waitFor();
    await page.getByLabel("Seu comentário").fill("Cheguei tarde");
    await page.getByRole("button", { name: "Comentar" }).click();
    await page.getByText(/foram fechados\. O seu texto continua aqui/).waitFor();
    await expect.poll(() => page.getByLabel("Seu comentário").inputValue()).toBe("Cheguei tarde");
    await host.getByRole("button", { name: "Abrir comentários" }).click();
    await host.getByLabel("Seu comentário").waitFor();
  });

  test("are written, answered, edited, deleted, restored, and hidden by the creator, without JavaScript", async () => {
    const path = await posted("Sem script");
    const page = await openPageAs(fan, path, { javaScript: false });
    await page.getByLabel("Seu comentário").fill("Só HTML.");
    await page.getByRole("button", { name: "Comentar" }).click();
    await said(page, "Só HTML.").waitFor();
    await said(page, "Só HTML.").getByRole("link", { name: "Responder a Bento Reis" }).click();
    await page.getByLabel("Sua resposta").fill("E basta.");
    await page.getByRole("button", { name: "Responder", exact: true }).click();
    await page.getByText("E basta.").first().waitFor();
    await page.goto(path);
    await said(page, "E basta.").locator("summary").last().click();
    await said(page, "E basta.").getByRole("link", { name: "Editar" }).last().click();
    await page.getByLabel("Seu comentário").fill("E sobra.");
    await page.getByRole("button", { name: "Salvar" }).click();
    await page.getByText("E sobra.").first().waitFor();
    await page.goto(path);
    await menu(page, "E sobra.", "Apagar");
    await page.getByText("Você apagou este comentário.").waitFor();
    await page.getByRole("button", { name: "Desfazer" }).first().click();
    await page.getByText("E sobra.").first().waitFor();
    const host = await openPageAs(creator, path, { javaScript: false });
    await said(host, "E sobra.").locator("summary").last().click();
    await said(host, "E sobra.")
      .getByRole("button", { name: "Esconder de todo mundo" })
      .last()
      .click();
    await host.goto(path);
    await expect.poll(() => said(host, "E sobra.").getByText("Escondido").count()).toBe(1);
  });

  test("are closed to members without access to the post, and a block hides both members from each other", async () => {
    const closed = await posted("Só para quem assina", { ways: "subscribers" });
    const page = await openPageAs(fan, closed);
    await page.getByText("Quem vê a publicação vê também os comentários.").waitFor();
    const open = await posted("Para todo mundo");
    await page.goto(open);
    await hydrated(page);
    await page.getByLabel("Seu comentário").fill("Estou aqui.");
    await page.getByRole("button", { name: "Comentar" }).click();
    await said(page, "Estou aqui.").getByText("agora").waitFor();
    const foe = await openPageAs(await signUpMember(sharedServer().origin, "Davi Melo"), open);
    await said(foe, "Estou aqui.").locator("summary").click();
    await foe.getByRole("link", { name: "Bloquear Bento Reis" }).click();
    await foe.getByRole("button", { name: "Bloquear" }).click();
    await foe.waitForURL("**/settings/connections**");
    await foe.goto(open);
    await foe.getByLabel("Seu comentário").waitFor();
    await expect.poll(() => foe.getByText("Estou aqui.").count()).toBe(0);
  });
});

describe("like button", () => {
  test("responds at once, is reverted when the request fails or the network is down, and survives a reload", async () => {
    const path = await posted("Curta esta");
    const page = await openPageAs(other, path, { width: 390, height: 844 });
    const article = page.getByRole("article", { name: "Curta esta" });
    let letThrough = () => {};
    const held = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route("**/like**", async (route) => {
      await held;
      await route.continue();
    });
    await article.getByRole("button", { name: "Curtir 0" }).focus();
    await page.keyboard.press("Enter");
    await article.getByRole("button", { name: "Curtido 1" }).waitFor();
    const answered = page.waitForResponse(/\/like/);
    letThrough();
    await answered;
    await page.unroute("**/like**");
    await expect
      .poll(async () => {
        await page.reload();
        return article.getByRole("button", { name: "Curtido 1" }).count();
      })
      .toBe(1);
    await hydrated(page);
    await page.route("**/like**", (route) => route.abort());
    await article.getByRole("button", { name: "Curtido 1" }).click();
    await page.getByText(/Não deu para salvar/).waitFor();
    await article.getByRole("button", { name: "Curtido 1" }).waitFor();
    await page.context().setOffline(true);
    await article.getByRole("button", { name: "Curtido 1" }).click();
    await page.getByText("Você está sem internet. A curtida não foi salva.").waitFor();
    await article.getByRole("button", { name: "Curtido 1" }).waitFor();
  });
});
