import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newPage, signIn } from "#tests/support/browser.ts";
import { publishPostByForm, signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";
import { screenshot, signInAsMember } from "#tests/support/steps.ts";

type Member = Awaited<ReturnType<typeof signUpMember>>;

const CARLA = "carla@coreto.test";
const LOOKS = [
  { suffix: "390", width: 390, theme: "light" },
  { suffix: "1440-dark", width: 1440, theme: "dark" },
] as const;

/** Saves the page on a phone and on a desktop in the dark, where screenshots are wanted. */
async function lookAt(member: Member | "carla" | null, path: string, name: string): Promise<void> {
  if (!process.env["CORETO_SHOTS"]) return;
  for (const { suffix, width, theme } of LOOKS) {
    const page = await newPage({ width, height: 900 });
    if (member === "carla") await signIn(page, { login: CARLA });
    else if (member) await signInAsMember(page, member);
    await page
      .context()
      .addCookies([{ name: "coreto-theme", value: theme, url: sharedServer().origin }]);
    await page.goto(path);
    await screenshot(page, `${name}-${suffix}`);
    await page.context().close();
  }
}

/** Reloads until the outbox was delivered. */
async function awaitNotification(page: Page, text: RegExp): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.goto("/notifications");
        return await page.getByText(text).count();
      },
      { timeout: 60_000 },
    )
    .toBeGreaterThan(0);
}

test(
  "a report without JavaScript, its decision, the reporter's outcome and the author's appeal",
  { timeout: 400_000 },
  async () => {
    const { origin } = sharedServer();
    const creator = await signUpSeller(origin, { name: "Tereza Lira" });
    const fan = await signUpMember(origin, "Bia Couto");
    await lookAt("carla", "/admin", "admin-empty");
    await lookAt("carla", "/admin/reports", "cases-empty");
    await lookAt(fan, "/settings/reports", "own-reports-empty");
    const post = await publishPostByForm(creator, {
      title: "Ganhe dinheiro dormindo",
      visibility: "public",
      seed: 4,
    });

    const plain = await newPage({ javaScript: false, width: 390, height: 844 });
    await plain.goto(`/report/post/${post.id}`);
    expect(new URL(plain.url()).pathname).toBe("/auth/login");
    await signInAsMember(plain, fan);
    await plain.goto(post.path);
    await plain.getByLabel(`Mais sobre ${post.title}`).click();
    await screenshot(plain, "post-menu-390-nojs");
    await lookAt(fan, `/report/post/${post.id}`, "report");
    await plain.getByRole("link", { name: "Denunciar" }).click();
    await plain.getByRole("button", { name: "Denunciar" }).click();
    await plain.getByText("Escolha um motivo.").waitFor();
    await screenshot(plain, "report-refused-390-nojs");
    await plain.getByLabel("Golpe ou fraude").check();
    await plain.getByLabel("O que aconteceu").fill("Promete dinheiro e pede Pix.");
    await plain.getByRole("button", { name: "Denunciar" }).click();
    await plain.getByRole("heading", { name: "Recebemos a sua denúncia" }).waitFor();
    const received = new URL(plain.url()).pathname;
    await lookAt(fan, received, "received");
    await plain.goto(`/report/post/${post.id}`);
    await plain.getByRole("heading", { name: "Você já denunciou isto" }).waitFor();

    const office = await newPage({ width: 1440 });
    await signIn(office, { login: CARLA, to: "/admin" });
    await lookAt("carla", "/admin", "admin");
    await office.getByRole("link", { name: /^Denúncias.*o mais antigo/ }).click();
    await lookAt("carla", "/admin/reports", "cases");
    await office.getByRole("link", { name: /Publicação: Ganhe dinheiro dormindo/ }).click();
    await office.getByRole("heading", { name: "Como estava" }).waitFor();
    const casePath = new URL(office.url()).pathname;
    const late = await newPage({ javaScript: false });
    await signIn(late, { login: CARLA, to: casePath });
    await lookAt("carla", casePath, "case");
    await office.getByRole("button", { name: "Assumir" }).click();
    await office.getByRole("heading", { name: "Decidir" }).waitFor();
    await late.getByRole("button", { name: "Assumir" }).click();
    await late.getByText("Este caso mudou enquanto você olhava.").waitFor();
    await lookAt("carla", casePath, "case-claimed");
    await office.getByLabel("Suspender a conta por dias").check();
    await office.getByLabel("Motivo").fill("Promete ganho que não existe.");
    await office.getByRole("button", { name: "Decidir" }).click();
    await office.getByText("Diga por quantos dias.").waitFor();
    await office.getByLabel("Esconder o conteúdo").check();
    await office.getByRole("button", { name: "Decidir" }).click();
    await office.waitForURL("**/admin/reports");

    await awaitNotification(plain, /Conferimos a sua denúncia .* e agimos/);
    await plain.goto("/settings/reports");
    await plain.getByText("Conferimos e agimos: havia quebra das regras.").waitFor();
    await lookAt(fan, "/settings/reports", "own-reports");

    const author = await newPage({ javaScript: false, width: 390, height: 844 });
    await signInAsMember(author, creator);
    await awaitNotification(author, /Escondemos a sua publicação/);
    await author.getByRole("link", { name: /Escondemos a sua publicação/ }).click();
    await author.getByRole("heading", { name: "Decisão da moderação" }).waitFor();
    const appealPath = new URL(author.url()).pathname;
    await lookAt(null, appealPath, "appeal");
    await author.getByRole("button", { name: "Recorrer" }).click();
    await author.getByText("Conte por que a decisão deve mudar.").waitFor();
    await author.getByLabel("Por que a decisão deve mudar").fill("É o nome de uma música.");
    await author.getByRole("button", { name: "Recorrer" }).click();
    await author.getByText("Recebemos o seu recurso.").waitFor();

    await late.goto("/admin/reports?view=appeals");
    await lookAt("carla", "/admin/reports?view=appeals", "appeals");
    await late.getByRole("link", { name: /Recurso de Tereza/ }).click();
    await lookAt("carla", casePath, "case-appealed");
    await late.getByLabel("Desfazer a decisão").check();
    await late.getByLabel("Motivo").fill("É mesmo uma música.");
    await late.getByRole("button", { name: "Decidir o recurso" }).click();
    await late.getByText("Ninguém recorreu de uma decisão.").waitFor();
    await author.goto(appealPath);
    await author.getByText(/Aceito: a decisão foi desfeita/).waitFor();
    await lookAt(null, appealPath, "appeal-decided");
    await plain.goto(post.path);
    await plain.getByRole("heading", { name: post.title }).waitFor();
  },
);
