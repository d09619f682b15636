import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { newMemberInput, signUpMember } from "#tests/support/form-client.ts";
import { picture } from "#tests/support/picture.ts";
import { sharedServer } from "#tests/support/server.ts";
import {
  fillSellerDetails,
  fillSignUp,
  hydrated,
  openPage,
  screenshot,
  signInAsMember,
} from "#tests/support/steps.ts";

/** From "Criar minha página" to a published post with a plan on sale. */
const MOST_SCREENS = 10;
const MOST_TAPS = 13;

const image = (name: string) => ({ name, mimeType: "image/png", buffer: picture(3) });

/** Counts the documents and screens that a page shows, by path. */
function screensOf(page: Page): string[] {
  const seen: string[] = [];
  page.on("framenavigated", (frame) => {
    const { pathname } = new URL(frame.url());
    if (frame === page.mainFrame() && pathname !== seen.at(-1)) seen.push(pathname);
  });
  return seen;
}

async function isTooWide(page: Page): Promise<boolean> {
  return await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
}

const isFocused = (element: Element) => document.activeElement === element;

test(
  "a visitor becomes a creator with a plan on sale and a post in few screens, led from one to the next",
  { timeout: 120_000 },
  async () => {
    const { origin } = sharedServer();
    const page = await newPage({ width: 390, height: 844 });
    const person = { ...newMemberInput("Rosa do Coco"), fullName: "Rosa Maria do Coco" };
    const screens = screensOf(page);
    let taps = 0;
    const tap = async (target: Locator) => {
      taps += 1;
      await target.click();
    };
    await page.goto(origin);
    screens.length = 0;
    await tap(page.getByRole("link", { name: "Criar minha página" }).first());
    await fillSignUp(page, person);
    taps += 3;
    await page.waitForURL("**/space/create");
    await hydrated(page);
    await page.getByLabel("O que você faz").fill("Coco de roda");
    await page.getByLabel("Assunto").selectOption({ label: "Música" });
    await page.getByLabel("Sobre você").fill("Canto coco desde menina.");
    await screenshot(page, "new-creator-create-390");
    await tap(page.getByRole("button", { name: "Abrir minha página" }));

    await page.waitForURL("**/me/first-steps/photo");
    await page.getByText("Passo 1 de 8").waitFor();
    await page.getByLabel(/^Foto de perfil/).setInputFiles(image("foto.png"));
    await page.getByText("Vai assim.").waitFor();
    await screenshot(page, "new-creator-photo-390");
    await tap(page.getByRole("button", { name: "Salvar foto" }));
    await page.waitForURL("**/me/first-steps/banner");
    await tap(page.getByRole("link", { name: "Pular" }));

    // The texts came with the page: behind the banner comes the plan, with suggestions for music.
    await page.waitForURL("**/me/first-steps/plan");
    await screenshot(page, "new-creator-suggestions-390");
    await tap(page.getByRole("link", { name: "Usar este plano Camarim" }));
    const price = page.getByLabel("Preço");
    await expect.poll(() => price.inputValue()).toBe("24,90");
    await expect
      .poll(() => page.getByLabel("Nome", { exact: true }).evaluate(isFocused))
      .toBe(true);
    await price.fill("19,90");
    await page.getByText("Você recebe R$ 18,90.").waitFor();
    const preview = page.getByRole("group").filter({ hasText: "Como a página está ficando" });
    await preview.getByText("Como a página está ficando").click();
    await preview.getByText("R$ 19,90").waitFor();
    await page.getByText("Mais opções").click();
    await page.getByText("Uma ideia de mensagem").click();
    const useDraft = page.getByRole("button", { name: "Usar esta mensagem" });
    await useDraft.click();
    await useDraft.waitFor({ state: "detached" });
    await expect
      .poll(() => page.getByLabel("Mensagem de boas-vindas").inputValue())
      .toMatch(/Sou Rosa do Coco.*a próxima música/);
    await screenshot(page, "new-creator-plan-390");
    await tap(page.getByRole("button", { name: "Criar plano" }));
    await page.waitForURL("**/plan/*/activation");
    await fillSellerDetails(page, person);
    taps += 2;
    await page.waitForURL("**/plan/*/ready");
    await tap(page.getByRole("link", { name: "Continuar os primeiros passos" }));

    await page.waitForURL("**/me/first-steps/post");
    await page.getByLabel("Título").fill("Cheguei");
    await page.getByLabel("Texto", { exact: true }).fill("Aqui eu canto e conto.");
    await screenshot(page, "new-creator-post-390");
    await tap(page.getByRole("button", { name: "Publicar", exact: true }));
    // The Pix key came with the plan.
    await page.waitForURL("**/me/first-steps/documents");
    await page.getByText("Publicado.").first().waitFor();
    const toTheFirstPost = screens.slice(0, -1);
    expect(toTheFirstPost.length, toTheFirstPost.join("\n")).toBeLessThanOrEqual(MOST_SCREENS);
    expect(taps).toBeLessThanOrEqual(MOST_TAPS);

    await page.getByRole("link", { name: "Pular" }).click();
    await page.waitForURL("**/me/first-steps/invitations");
    await page.getByText("Até agora, 0 de 10 pessoas seguem a sua página.").waitFor();
    expect(
      decodeURIComponent(
        (await page.getByRole("link", { name: "Convidar pelo WhatsApp" }).getAttribute("href")) ??
          "",
      ),
    ).toContain(`/@${person.username}`);
    const story = page.getByRole("link", { name: "Baixar a imagem" });
    const drawn = await page.request.get(
      new URL((await story.getAttribute("href")) ?? "", origin).href,
    );
    expect([drawn.status(), drawn.headers()["content-type"]]).toEqual([200, "image/png"]);
    const png = await drawn.body();
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1080, 1920]);
    await page.getByRole("img", { name: /^Imagem para stories/ }).scrollIntoViewIfNeeded();
    await screenshot(page, "new-creator-invitations-390");
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await isTooWide(page), String(width)).toBe(false);
    }
    await page.getByText("Como a página está ficando").first().click();
    await page.getByText("R$ 19,90").first().waitFor();

    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto("/me/first-steps/bio");
    await hydrated(page);
    await page.getByLabel("Sobre você").fill("Canto coco e conto a história dele.");
    await page
      .getByRole("complementary", { name: "Prévia da página" })
      .getByText("Canto coco e conto a história dele.")
      .waitFor();
    await screenshot(page, "new-creator-bio-1440");
    await page.goto("/plan/create?kind=music");
    const plateia = page.getByRole("link", { name: "Usar este plano Plateia" });
    await plateia.waitFor();
    await screenshot(page, "new-creator-plan-create-1440");
    await hydrated(page);
    await page.getByLabel("Lugares").fill("30");
    await plateia.click();
    await plateia.waitFor({ state: "hidden" });
    await expect.poll(() => page.getByLabel("Nome", { exact: true }).inputValue()).toBe("Plateia");
    await expect.poll(() => page.getByLabel("Lugares").inputValue()).toBe("30");
    for (const theme of ["light", "dark"]) {
      await page
        .context()
        .addCookies([{ name: "coreto-theme", value: theme, url: origin, secure: true }]);
      await page.setViewportSize({ width: 1440, height: 900 });
      for (const step of ["photo", "plan", "post", "documents", "invitations"]) {
        await page.goto(`/me/first-steps/${step}`);
        const preview = page.getByRole("complementary", { name: "Prévia da página" });
        await preview.getByText("Cheguei").waitFor();
        await preview.getByText("Camarim").waitFor();
        expect(await isTooWide(page), step).toBe(false);
        await screenshot(page, `new-creator-${step}-1440-${theme}`);
      }
    }
  },
);

test("without JavaScript the steps go on too: a wrong plan keeps what was typed, and a post is published", async () => {
  const person = await signUpMember(sharedServer().origin, "Dona Selma");
  const page = await newPage({ javaScript: false, width: 390, height: 844 });
  await signInAsMember(page, person);
  await openPage(page);
  await page.getByRole("button", { name: "Salvar foto" }).click();
  await page.getByText("Escolha uma foto.").waitFor();
  await page.goto("/me/first-steps/plan");
  await page.getByRole("link", { name: "Cozinha", exact: true }).click();
  await page.getByRole("link", { name: "Usar este plano Prova" }).click();
  await page.getByLabel("Nome", { exact: true }).fill("Prova da Selma");
  await page.getByLabel("Preço").fill("1,00");
  await page.getByRole("button", { name: "Criar plano" }).click();
  await page.getByText("O preço mínimo é").first().waitFor();
  await expect
    .poll(() => page.getByLabel("Nome", { exact: true }).inputValue())
    .toBe("Prova da Selma");
  await page.getByLabel("Preço").fill("12,90");
  await page.getByRole("button", { name: "Criar plano" }).click();
  await page.waitForURL("**/plan/*/activation");
  await page.goto("/me/first-steps/post");
  await page.getByLabel("Título").fill("  ");
  await page.getByLabel("Texto", { exact: true }).fill("Com coentro.");
  await screenshot(page, "new-creator-post-390-nojs");
  await page.getByRole("button", { name: "Publicar", exact: true }).click();
  // A refused post goes on to the full composer, which still leads to the next step.
  await page.waitForURL("**/post/create");
  await page.getByText("Campo obrigatório").first().waitFor();
  await page.getByLabel("Título").fill("A primeira receita");
  await page.getByRole("button", { name: "Publicar", exact: true }).click();
  await page.waitForURL("**/me/first-steps/payout-method");
});
