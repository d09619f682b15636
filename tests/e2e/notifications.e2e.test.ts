import { expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { mailTo } from "#tests/support/emails.ts";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";
import { hydrated, openPart, screenshot, signInAsMember } from "#tests/support/steps.ts";

test("a creator sends a post by email from the composer, and its reader gets it once, whole", async () => {
  const { origin } = sharedServer();
  const creator = await signUpSeller(origin);
  const fan = await signUpMember(origin, "Caio Reis");
  await fan.postAndFollow(`/space/${creator.username}/follow`, { following: "true" });
  const page = await newPage({ width: 390, height: 844 });
  await signInAsMember(page, creator);
  await page.goto("/post/create");
  await hydrated(page);
  await page.getByLabel("Título").first().fill("Diário de oficina");
  await page.getByLabel("Texto", { exact: true }).fill("Primeiro a **madeira**.");
  await openPart(page, "E-mail");
  await page.getByLabel("No Coreto e por e-mail, para quem pode ler").check();
  await screenshot(page, "composer-email-390");
  await page.getByRole("button", { name: "Publicar" }).click();
  await page.waitForURL((url) => /^\/post\/(?!create)/.test(url.pathname));
  const mail = await mailTo(origin, fan.email, "Diário de oficina");
  expect(mail.body).toContain("Primeiro a **madeira**.");

  const address = /Não receber mais: (\S+)/.exec(mail.body)?.[1] ?? "";
  const visitor = await newPage({ width: 390, height: 844 });
  await visitor.goto(new URL(address).pathname);
  await visitor.getByText(`as publicações de ${creator.name} por e-mail`).waitFor();
  await screenshot(visitor, "unsubscribe-creator-390");
  await visitor.getByRole("button", { name: "Não receber mais" }).click();
  await visitor.getByRole("heading", { name: "Pronto" }).waitFor();
});

test("quiet hours and devices are in the settings, and a wrong time stays beside its message", async () => {
  const { origin } = sharedServer();
  const member = await signUpMember(origin, "Lia Souza");
  const page = await newPage({ width: 390, height: 844 });
  await signInAsMember(page, member);
  await page.goto("/settings/notifications");
  await hydrated(page);
  await page.getByRole("button", { name: "Ativar avisos neste aparelho" }).waitFor();
  await page.getByLabel("Das").fill("22:00");
  await page.getByRole("button", { name: "Salvar" }).click();
  await page.getByText("Diga até que horas.").waitFor();
  await expect.poll(() => page.getByLabel("Das").inputValue()).toBe("22:00");
  await page.getByLabel("Até as").fill("07:00");
  await page.getByRole("combobox", { name: "Fuso horário" }).selectOption("America/Manaus");
  await page.getByRole("button", { name: "Salvar" }).click();
  await page.getByText("Salvo.").waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel("Até as").inputValue()).toBe("07:00");
  await expect
    .poll(() => page.getByRole("combobox", { name: "Fuso horário" }).inputValue())
    .toBe("America/Manaus");
  await screenshot(page, "settings-notifications-390");
  await page.setViewportSize({ width: 1440, height: 900 });
  await screenshot(page, "settings-notifications-1440");
});

test("the sandbox shows every notification with example data", async () => {
  const { origin } = sharedServer();
  const answer = await fetch(`${origin}/sandbox/gallery`, { headers: { Accept: "text/html" } });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("Avisos de exemplo");
});
