import { expect, test } from "vitest";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import { pdf } from "#tests/support/media-files.ts";
import { picture } from "#tests/support/picture.ts";
import { sharedServer } from "#tests/support/server.ts";
import { hydrated, openPageAs, screenshot } from "#tests/support/steps.ts";

test("a creator writes once to many people, sees how it goes, and each reads it by name", async () => {
  const { origin } = sharedServer();
  const creator = await signUpSeller(origin);
  const fan = await signUpMember(origin, "Bento Reis");
  await fan.post(`/space/${creator.username}/follow`, { follow: "true" });

  const page = await openPageAs(creator, "/messages", { width: 390, height: 844 });
  await page.getByRole("link", { name: "Mensagem para muitos", exact: true }).click();
  await page.getByRole("heading", { name: "Nenhuma mensagem ainda" }).waitFor();
  await page.getByRole("link", { name: "Nova mensagem" }).click();
  await page.getByRole("radio", { name: /Assinantes de alguns planos/ }).check();
  await page.getByRole("textbox", { name: "Mensagem" }).fill("Oi, {nome}! Show no sábado.");
  await page.getByRole("button", { name: "Ver antes de enviar" }).click();
  await page.getByText("Escolha pelo menos um plano.").waitFor();
  await screenshot(page, "broadcast-form-390");
  await page.getByRole("radio", { name: /Seguidores/ }).check();
  await page.getByRole("button", { name: "Ver antes de enviar" }).click();
  await page.getByText("Seguidores: 1 pessoa").waitFor();
  await page.getByText("Oi, Maria! Show no sábado.").waitFor();
  await screenshot(page, "broadcast-preview-390");
  await page.getByRole("button", { name: "Enviar", exact: true }).click();
  await page.getByText("Enviada", { exact: true }).waitFor();
  await screenshot(page, "broadcast-sent-390");

  const theirs = await openPageAs(fan, "/messages", { javaScript: false });
  await theirs.getByRole("link", { name: /Show no sábado/ }).click();
  await theirs
    .getByRole("region", { name: /^Conversa com/ })
    .getByText("Oi, Bento! Show no sábado.")
    .waitFor();
  await page.reload();
  await expect
    .poll(() => page.getByRole("definition").allInnerTexts())
    .toEqual(["1", "1", "100%", "0", "0%"]);

  // The second of a day, as plain forms.
  const plain = await openPageAs(creator, "/messages/broadcasts/new", {
    javaScript: false,
    width: 1440,
    height: 900,
    theme: "dark",
  });
  await plain.getByRole("radio", { name: /Seguidores/ }).check();
  await plain.getByRole("textbox", { name: "Mensagem" }).fill("Mais uma");
  await plain.getByRole("button", { name: "Ver antes de enviar" }).click();
  await screenshot(plain, "broadcast-preview-dark-1440");
  await plain.getByRole("button", { name: "Enviar", exact: true }).click();
  await plain.getByText(/Uma mensagem para muitos por dia/).waitFor();
  await plain.getByRole("link", { name: "Voltar à mensagem" }).click();
  await plain.getByRole("link", { name: "Cancelar" }).click();
  await plain.getByRole("button", { name: "Cancelar a mensagem" }).click();
  await plain.getByText("Cancelada", { exact: true }).first().waitFor();
  await plain.getByRole("link", { name: "Todas as mensagens para muitos" }).click();
  await screenshot(plain, "broadcasts-dark-1440");
});

test("a creator sends files to many people, sees them before, and each opens them", async () => {
  const { origin } = sharedServer();
  const creator = await signUpSeller(origin);
  const fan = await signUpMember(origin, "Bento Reis");
  await fan.post(`/space/${creator.username}/follow`, { follow: "true" });

  const page = await openPageAs(creator, "/messages/broadcasts/new", { width: 390, height: 844 });
  await hydrated(page);
  await page.getByRole("radio", { name: /Seguidores/ }).check();
  await page.getByRole("textbox", { name: "Mensagem" }).fill("Oi, {nome}! A partitura.");
  await page.getByText("Anexar arquivos").click();
  await page.getByLabel("Fotos, vídeos, áudios ou PDFs").setInputFiles([
    { name: "palco.png", mimeType: "image/png", buffer: Buffer.from(picture(3)) },
    { name: "partitura.pdf", mimeType: "application/pdf", buffer: Buffer.from(pdf()) },
  ]);
  await expect.poll(() => page.getByText(/^Pronto · /).count()).toBe(2);
  await page.getByRole("textbox", { name: "Descrição de palco.png" }).fill("O palco vazio");
  await page.getByRole("textbox", { name: "Preço" }).fill("15,00");
  await page.getByRole("button", { name: "Ver antes de enviar" }).click();
  await page.getByText(/À venda por R\$\s15,00/).waitFor();
  await screenshot(page, "broadcast-files-preview-390");
  await page.getByRole("link", { name: "Mudar" }).click();
  await hydrated(page);
  await page.getByRole("textbox", { name: "Preço" }).fill("");
  await page.getByRole("button", { name: "Ver antes de enviar" }).click();
  await page.getByRole("img", { name: "O palco vazio" }).waitFor();
  await expect.poll(() => page.getByText(/À venda por/).count()).toBe(0);
  await page.getByRole("button", { name: "Enviar", exact: true }).click();
  await page.getByText("Enviada", { exact: true }).waitFor();

  const theirs = await openPageAs(fan, "/messages", { width: 390, height: 844 });
  await theirs.getByRole("link", { name: /A partitura/ }).click();
  const talk = theirs.getByRole("region", { name: /^Conversa com/ });
  await talk.getByText("Oi, Bento! A partitura.").waitFor();
  await talk.getByRole("link", { name: /partitura\.pdf/ }).waitFor();
  const image = talk.getByRole("img", { name: "O palco vazio" });
  await image.scrollIntoViewIfNeeded();
  await expect
    .poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth))
    .toBeGreaterThan(0);
  await screenshot(theirs, "broadcast-files-seen-390");
});
