import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
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
  other = await signUpMember(origin, "Bento Reis");
});

const poll = (page: Page) => page.getByRole("region", { name: "Enquete" });
const publish = (fields: Record<string, string | string[]>) =>
  creator.postAndFollow("/post/create", {
    title: "Repertório",
    content: "Escolham comigo.",
    ways: "public",
    ...fields,
  });

describe("poll", () => {
  test("is written by keyboard on a phone, saved with the draft, published, voted on, changed and ended", async () => {
    const page = await openPageAs(creator, "/post/create", { width: 390, height: 844 });
    await page.getByLabel("Título").first().fill("O que tocamos no domingo");
    await page.getByLabel("Texto", { exact: true }).fill("Decidam até sexta.");
    await page.getByText("Enquete", { exact: true }).click();
    await page.getByLabel("Pergunta").fill("Qual música abre?");
    await page.getByRole("textbox", { name: "Opção 1", exact: true }).focus();
    for (const option of ["Asa Branca", "Feira de Mangaio", "Sobra"]) {
      await page.keyboard.type(option);
      await page.keyboard.press("Enter");
    }
    await page.getByRole("textbox", { name: "Opção 4", exact: true }).waitFor();
    await page.getByRole("button", { name: "Tirar a opção 4" }).click();
    await page.getByRole("button", { name: "Tirar a opção 3" }).click();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Opção 2");
    await screenshot(page, "poll-composer-390-light");
    await page.getByText(/^Rascunho salvo às/).waitFor();
    const postId = await page.locator('input[name="postId"]').inputValue();
    await page.goto(`/post/${postId}/edit`);
    await hydrated(page);
    await expect
      .poll(() => page.getByRole("textbox", { name: "Opção 2", exact: true }).inputValue())
      .toBe("Feira de Mangaio");
    await expect
      .poll(() => page.getByRole("textbox", { name: "Opção 3", exact: true }).count())
      .toBe(0);
    await page.getByRole("button", { name: "Publicar" }).click();
    await page.waitForURL(`**/post/${postId}`);
    await poll(page)
      .getByText(/0 pessoas votaram/)
      .waitFor();

    const voter = await openPageAs(fan, `/post/${postId}`, { width: 390, height: 844 });
    await poll(voter).getByText("O resultado aparece para quem vota").waitFor();
    await screenshot(voter, "poll-ballot-390-light");
    await poll(voter).getByLabel("Asa Branca").focus();
    await voter.keyboard.press("ArrowDown");
    await voter.keyboard.press("Enter");
    await poll(voter)
      .getByText(/1 pessoa votou · o seu voto conta/)
      .waitFor();
    await poll(voter)
      .getByRole("listitem")
      .filter({ hasText: "Feira de Mangaio" })
      .getByText("100%")
      .waitFor();
    await poll(voter).getByText("Mudar o voto").click();
    await poll(voter).getByLabel("Asa Branca").check();
    await poll(voter).getByRole("button", { name: "Votar" }).click();
    await poll(voter)
      .getByRole("listitem")
      .filter({ hasText: "Asa Branca" })
      .getByText("100%")
      .waitFor();
    await screenshot(voter, "poll-voted-390-light");

    await page.goto(`/post/${postId}/edit`);
    await page.getByText("Já votaram: a pergunta e as opções não mudam mais.").waitFor();
    await page.goto(`/post/${postId}`);
    await hydrated(page);
    await poll(page).getByRole("button", { name: "Encerrar a enquete" }).click();
    await poll(page)
      .getByText(/1 pessoa votou · encerrada/)
      .waitFor();
    await voter.reload();
    await poll(voter)
      .getByText(/encerrada/)
      .waitFor();
    await expect.poll(() => poll(voter).getByText("Mudar o voto").count()).toBe(0);
  });

  test("accepts several choices, and refuses an empty vote", async () => {
    const path = await publish({
      pollQuestion: "Quais quer ouvir?",
      pollOptions: ["Xote", "Baião", "Coco"],
      pollIsMultiple: "true",
    });
    const page = await openPageAs(other, path);
    await poll(page).getByText("Escolha uma ou mais.").waitFor();
    await poll(page).getByRole("button", { name: "Votar" }).click();
    await poll(page).getByRole("alert").getByText("Escolha uma opção.").waitFor();
    await poll(page).getByLabel("Xote").check();
    await poll(page).getByLabel("Coco").check();
    await poll(page).getByRole("button", { name: "Votar" }).click();
    await poll(page)
      .getByText(/1 pessoa votou/)
      .waitFor();
    await expect.poll(() => poll(page).getByText("100%").count()).toBe(2);
  });

  test("works without JavaScript: written with ten option fields, refused beside them, voted on and changed", async () => {
    const page = await openPageAs(creator, "/post/create", { javaScript: false });
    await page.getByLabel("Título").first().fill("Sem script");
    await page.getByLabel("Texto", { exact: true }).fill("Votem assim mesmo.");
    await page.getByText("Enquete", { exact: true }).click();
    await page.getByRole("textbox", { name: "Opção 1", exact: true }).fill("Só uma");
    await page.getByRole("button", { name: "Publicar" }).click();
    await page.getByText("Escreva a pergunta da enquete.").waitFor();
    await expect
      .poll(() => page.getByRole("textbox", { name: "Opção 1", exact: true }).inputValue())
      .toBe("Só uma");
    await page.getByLabel("Pergunta").fill("Vai chover?");
    await page.getByRole("textbox", { name: "Opção 10", exact: true }).fill("Outra");
    await page.getByLabel("Termina em").fill("2020-01-31T10:00");
    await page.getByRole("button", { name: "Publicar" }).click();
    await page.getByText(/A enquete precisa terminar depois/).waitFor();
    await page.getByLabel("Termina em").fill("");
    await page.getByRole("button", { name: "Publicar" }).click();
    await page.waitForURL((url) => /^\/post\/[0-9a-f]+$/.test(url.pathname));
    const path = new URL(page.url()).pathname;

    const voter = await openPageAs(fan, path, { javaScript: false });
    await poll(voter).getByLabel("Outra").check();
    await poll(voter).getByRole("button", { name: "Votar" }).click();
    await poll(voter)
      .getByText(/1 pessoa votou/)
      .waitFor();
    await poll(voter).getByText("Mudar o voto").click();
    await poll(voter).getByLabel("Só uma").check();
    await poll(voter).getByRole("button", { name: "Votar" }).click();
    await poll(voter)
      .getByRole("listitem")
      .filter({ hasText: "Só uma" })
      .getByText("100%")
      .waitFor();
    await page.reload();
    await poll(page).getByRole("button", { name: "Encerrar a enquete" }).click();
    await poll(page)
      .getByText(/encerrada/)
      .waitFor();
  });

  test("shows a visitor the question and the way to answer, and is not shown on a locked post", async () => {
    const asked = { pollQuestion: "Com ou sem zabumba?", pollOptions: ["Com", "Sem"] };
    const open = (await publish(asked)).split("/").at(-1) ?? "";
    const locked = (await publish({ ...asked, ways: "subscribers" })).split("/").at(-1) ?? "";
    const page = await newPage({ width: 390, height: 844, javaScript: false });
    await page.goto(`/space/${creator.username}/public/${open}`);
    await poll(page).getByText("Com ou sem zabumba?").waitFor();
    await screenshot(page, "poll-public-390-light");
    await page.goto(`/space/${creator.username}/public/${locked}`);
    await page.getByRole("heading", { name: "Repertório" }).waitFor();
    await expect.poll(() => poll(page).count()).toBe(0);
    await page.goto(`/space/${creator.username}/public/${open}`);
    await poll(page).getByRole("link", { name: "Entrar para votar" }).click();
    await page.waitForURL("**/auth/login**");
  });
});
