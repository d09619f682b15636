import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { signUpMember, newMemberInput, signUpSeller } from "#tests/support/form-client.ts";
import type { MemberClient, SellerClient } from "#tests/support/form-client.ts";
import { mailTo } from "#tests/support/emails.ts";
import { sharedServer } from "#tests/support/server.ts";
import { signInAsMember, hydrated, fillSignUp, screenshot } from "#tests/support/steps.ts";

const POST = { title: "Recado da equipe", content: "Escrito por quem cuida da página." };

async function publish(page: Page, title = POST.title): Promise<void> {
  await page.getByLabel("Título").fill(title);
  await page.getByLabel("Texto", { exact: true }).fill(POST.content);
  await page.getByRole("button", { name: "Publicar" }).click();
}

/** Returns the path of the link in the email to `email`. */
async function invitationPath(email: string): Promise<string> {
  const { body } = await mailTo(sharedServer().origin, email, "convidou você");
  return /\/settings\/teams\/invitations\/[0-9a-f]{32}/.exec(body)?.[0] ?? "";
}

describe.each([
  { how: "with JavaScript at a desk", javaScript: true, width: 1280 },
  { how: "without JavaScript on a phone", javaScript: false, width: 390 },
])("$how", ({ javaScript, width }) => {
  const suffix = `${width}${javaScript ? "" : "-nojs"}`;

  test(
    "a team is created and two are invited; one signs up, publishes, sees no money and leaves; the team is deleted",
    { timeout: 120_000 },
    async () => {
      const owner = await signUpSeller(sharedServer().origin, { name: "Tereza Lira" });
      const bruno = newMemberInput("Bruno Sá");
      const slug = `casa-${owner.username}`;
      const page = await newPage({ javaScript, width, height: 844 });
      await signInAsMember(page, owner);
      await page.goto("/settings/teams");
      await page.getByRole("heading", { name: "Nenhuma equipe ainda" }).waitFor();
      await screenshot(page, `teams-none-${suffix}`);
      await page.getByRole("link", { name: "Criar equipe" }).click();
      await page.getByLabel("Nome da equipe").fill("Casa da Rabeca");
      await page.getByLabel("Endereço").fill("casa da rabeca");
      await page.getByRole("button", { name: "Criar equipe" }).click();
      await page.getByText("Use letras sem acento, números e hífens entre eles.").waitFor();
      await expect
        .poll(() => page.getByLabel("Nome da equipe").inputValue())
        .toBe("Casa da Rabeca");
      await page.getByLabel("Endereço").fill(slug);
      await page.getByRole("button", { name: "Criar equipe" }).click();
      await page.getByRole("heading", { name: "Convidar" }).waitFor();
      await page.getByLabel("E-mails").fill(`${bruno.email}, caio@`);
      await page.getByRole("button", { name: "Enviar convites" }).click();
      await page.getByText("Confira este e-mail: caio@").waitFor();
      await expect
        .poll(() => page.getByLabel("E-mails").inputValue())
        .toBe(`${bruno.email}, caio@`);
      const second = `caio-${owner.username}@exemplo.test`;
      await page.getByLabel("E-mails").fill(`${bruno.email}, ${second}`);
      await page.getByRole("button", { name: "Enviar convites" }).click();
      await page.getByText("2 convites enviados.").first().waitFor();
      await screenshot(page, `team-invitations-${suffix}`);
      await page.getByRole("link", { name: `Cancelar convite de ${second}` }).click();
      await page.getByRole("button", { name: "Cancelar convite" }).click();
      await page.getByText("Cancelado", { exact: true }).waitFor();

      const mate = await newPage({ javaScript, width, height: 844 });
      await mate.goto(await invitationPath(bruno.email));
      await mate.getByRole("link", { name: "Criar conta" }).click();
      await fillSignUp(mate, bruno);
      await mate.getByRole("heading", { name: "Convite: Casa da Rabeca" }).waitFor();
      await screenshot(mate, `team-invitation-${suffix}`);
      await mate.getByRole("button", { name: "Aceitar convite" }).click();
      await mate.getByText("Você entrou na equipe Casa da Rabeca.").first().waitFor();
      await screenshot(mate, `team-${suffix}`);
      await mate.goto("/settings/teams");
      await mate.getByRole("button", { name: `Ir para a página de ${owner.name}` }).click();
      await mate.getByText(`Agora você está em: página de ${owner.name}.`).first().waitFor();
      await screenshot(mate, `team-me-${suffix}`);
      await mate.goto("/post/create");
      await publish(mate);
      await mate.getByRole("heading", { name: POST.title }).waitFor();
      await mate.getByText("por Bruno Sá").waitFor();
      await screenshot(mate, `team-post-${suffix}`);
      await mate.goto("/settings/transfers");
      await mate
        .getByText("O seu lugar na equipe não permite isto. Fale com quem administra.")
        .waitFor();
      await screenshot(mate, `team-refused-${suffix}`);
      await mate.goto("/settings/teams/acting");
      await screenshot(mate, `team-acting-${suffix}`);

      await mate.goto(`/settings/teams/${slug}/leave`);
      await mate.getByLabel("Nome da equipe").fill("Casa");
      await mate.getByRole("button", { name: "Sair da equipe" }).click();
      await mate.getByText("O nome não confere.").waitFor();
      await mate.getByLabel("Nome da equipe").fill("casa da rabeca");
      await mate.getByRole("button", { name: "Sair da equipe" }).click();
      await mate.getByText("Você saiu da equipe Casa da Rabeca.").first().waitFor();
      await mate.goto("/me");
      await mate.getByRole("heading", { name: bruno.name, level: 1 }).waitFor();

      await page.goto(`/settings/teams/${slug}`);
      await screenshot(page, `team-owner-${suffix}`);
      await page.getByRole("link", { name: "Excluir equipe" }).click();
      await page.getByLabel("Nome da equipe").fill("Casa da Rabeca");
      await page.getByRole("button", { name: "Excluir equipe" }).click();
      await page.getByText("A equipe Casa da Rabeca foi excluída.").first().waitFor();
      await page.getByRole("heading", { name: "Nenhuma equipe ainda" }).waitFor();
    },
  );
});

describe("team member", () => {
  let owner: SellerClient;
  let mate: MemberClient;
  let slug: string;
  beforeAll(async () => {
    owner = await signUpSeller(sharedServer().origin, { name: "Zefa Lira" });
    mate = await signUpMember(sharedServer().origin, "Bia Sá");
    slug = `equipe-${owner.username}`;
    await owner.postAndFollow("/settings/teams/create", { name: "Equipe da Zefa", slug });
    await owner.postAndFollow(`/settings/teams/${slug}/invitations`, {
      emails: mate.email,
      role: "basic_member",
    });
    await mate.postAndFollow(await invitationPath(mate.email), {});
  });

  test("switches to the team's page, publishes and switches back by keyboard alone", async () => {
    const page = await newPage();
    await signInAsMember(page, mate);
    await page.goto("/");
    await hydrated(page);
    await page.getByRole("link", { name: /Você está em: sua página/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: `Ir para lá: Página de ${owner.name}` }).focus();
    await page.keyboard.press("Enter");
    await page
      .getByRole("status")
      .getByRole("link", { name: `página de ${owner.name}` })
      .waitFor();
    await page.goto("/post/create");
    await hydrated(page);
    await page.getByLabel("Título").focus();
    await page.keyboard.type("Pelo teclado");
    await page.getByLabel("Texto", { exact: true }).focus();
    await page.keyboard.type(POST.content);
    await page.getByRole("button", { name: "Publicar" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Pelo teclado" }).waitFor();
    await page.getByRole("button", { name: "Voltar para a sua página" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Agora você está em: sua página.").first().waitFor();
    await expect
      .poll(() =>
        page
          .getByRole("status")
          .getByRole("link", { name: `página de ${owner.name}` })
          .count(),
      )
      .toBe(0);
  });

  test("who switched pages in another tab publishes nothing by mistake, and loses no text", async () => {
    const page = await newPage();
    await signInAsMember(page, mate);
    await page.goto("/settings/teams/acting");
    await page.getByRole("button", { name: `Ir para lá: Página de ${owner.name}` }).click();
    await page.getByText(`Agora você está em: página de ${owner.name}.`).first().waitFor();
    await page.goto("/post/create");
    await hydrated(page);
    await page.getByLabel("Título").fill("De qual página?");
    await page.getByLabel("Texto", { exact: true }).fill(POST.content);
    const elsewhere = await page.context().newPage();
    await elsewhere.goto("/me");
    // The other tab may show the toast: both read the same cookie.
    const wayBack = elsewhere.getByRole("button", { name: "Voltar para a sua página" });
    await wayBack.click();
    await wayBack.waitFor({ state: "detached" });
    await elsewhere.goto("/settings/teams/acting");
    await page.getByRole("button", { name: "Publicar" }).click();
    await page
      .getByRole("alert")
      .getByText("Agora você está em: sua página. Nada foi enviado")
      .waitFor();
    // The form belongs to the other page once the page reloaded behind the message.
    const notice = page.getByRole("button", { name: "Voltar para a sua página" });
    await notice.waitFor({ state: "detached" });
    expect([
      await page.getByLabel("Título").inputValue(),
      await page.getByLabel("Texto", { exact: true }).inputValue(),
    ]).toEqual(["De qual página?", POST.content]);
    await elsewhere.getByRole("button", { name: `Ir para lá: Página de ${owner.name}` }).click();
    await wayBack.waitFor();
    await page.getByRole("button", { name: "Publicar" }).click();
    await page
      .getByRole("alert")
      .getByText(`Agora você está em: página de ${owner.name}.`)
      .waitFor();
    await notice.waitFor();
    await page.getByRole("button", { name: "Publicar" }).click();
    await page.getByRole("heading", { name: "De qual página?" }).waitFor();
  });

  test("who is removed is on their own page at the next click", async () => {
    const page = await newPage();
    await signInAsMember(page, mate);
    await page.goto("/settings/teams/acting");
    await page.getByRole("button", { name: `Ir para lá: Página de ${owner.name}` }).click();
    await page.getByText(`Agora você está em: página de ${owner.name}.`).first().waitFor();
    const desk = await newPage();
    await signInAsMember(desk, owner);
    await desk.goto(`/settings/teams/${slug}`);
    await desk.getByRole("link", { name: `Mudar o lugar de ${mate.name}` }).click();
    await screenshot(desk, "team-member-1280");
    await desk.getByRole("link", { name: "Tirar da equipe" }).click();
    await desk.getByRole("button", { name: "Tirar da equipe" }).click();
    await desk.getByText("Esta pessoa não está mais na equipe.").first().waitFor();
    await page.goto("/me");
    await page.getByRole("heading", { name: mate.name, level: 1 }).waitFor();
    expect(
      (await page.context().cookies()).some((cookie) => cookie.name === "__Host-coreto-acting"),
    ).toBe(false);
  });
});
