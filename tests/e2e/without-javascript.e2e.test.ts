import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningProduct } from "#scripts/local-product.ts";
import { newPage } from "#tests/support/browser.ts";
import {
  signUpMember,
  newMemberInput,
  publishPostByForm,
  signUpSeller,
} from "#tests/support/form-client.ts";
import { makeModerator, ownProduct } from "#tests/support/own-product.ts";
import { payPix } from "#tests/support/sandbox.ts";
import {
  signInAsMember,
  fillSellerDetails,
  fillSignUp,
  openPage,
  payAsGuest,
  publishForPlan,
  uploadDocuments,
  openDocumentPhotos,
  screenshot,
} from "#tests/support/steps.ts";

let coreto: RunningProduct;

beforeAll(async () => {
  coreto = await ownProduct();
});

afterAll(() => coreto.stop());

const plainPage = (width = 390) =>
  newPage({ origin: coreto.origin, javaScript: false, width, height: 844 });
const isPaid = (page: Page) =>
  page.getByRole("heading", { name: /^Pronto.*pode entrar$/ }).waitFor({ timeout: 30_000 });

test(
  "the whole journey: page, plan, documents, approval, post, and a card paid on the provider's page",
  { timeout: 120_000 },
  async () => {
    const creator = { ...newMemberInput("Tereza Lira"), fullName: "Tereza Maria Lira" };
    const studio = await plainPage();
    await studio.goto("/auth/register");
    await screenshot(studio, "register-390-nojs");
    await fillSignUp(studio, creator);
    await studio.getByRole("status").getByText(`Boas-vindas ao Coreto, ${creator.name}.`).waitFor();
    await openPage(studio);
    await studio.goto("/plan/create");
    await studio.getByLabel("Nome", { exact: true }).fill("Camarim");
    await studio.getByLabel("Preço").fill("2");
    await studio.getByRole("button", { name: "Criar plano" }).click();
    await studio
      .getByText(/O preço mínimo é R\$\s5,00/)
      .first()
      .waitFor();
    await expect
      .poll(() => studio.getByLabel("Nome", { exact: true }).inputValue())
      .toBe("Camarim");
    await screenshot(studio, "plan-refused-390-nojs");
    await studio.getByLabel("Preço").fill("19,90");
    await studio.getByRole("button", { name: "Criar plano" }).click();
    await studio.waitForURL("**/plan/*/activation");
    await screenshot(studio, "activation-390-nojs");
    await fillSellerDetails(studio, creator);
    await studio.getByRole("status").getByText("Pronto: seu plano está à venda.").waitFor();
    const title = "O ensaio inteiro, com os erros";
    const postPath = await publishForPlan(studio, { title, planName: "Camarim", isAwake: false });

    await uploadDocuments(studio);
    await screenshot(studio, "papers-390-nojs");
    const moderator = await signUpMember(coreto.origin, "Carla Reis");
    await makeModerator(coreto, moderator.email);
    const office = await plainPage();
    await signInAsMember(office, moderator);
    await office.goto("/admin/documents");
    await office.getByRole("link", { name: creator.fullName }).click();
    await screenshot(office, "document-390-nojs");
    await openDocumentPhotos(office);
    await office.getByRole("button", { name: "Aprovar" }).click();
    await office.getByRole("status").getByText("Documentos aprovados.").waitFor();

    const fan = await plainPage();
    await fan.goto(`/space/${creator.username}/public`);
    await screenshot(fan, "public-new-390-nojs");
    await fan.getByRole("link", { name: "Assinar Camarim por" }).click();
    await fan.waitForURL("**/checkout?plan=**");
    await fan.getByRole("radio", { name: /^Cartão/ }).check();
    await screenshot(fan, "checkout-390-nojs");
    await payAsGuest(fan, newMemberInput("Bruno Sá"));
    await fan.getByRole("link", { name: "Terminar o pagamento" }).click();
    await fan.waitForURL("http://127.0.0.1:*/pay/**");
    await fan.getByLabel("Número do cartão").fill("4242 4242 4242 4242");
    await fan.getByLabel("Validade").fill("12/30");
    await fan.getByLabel("CVV").fill("321");
    await fan.getByLabel("Nome no cartão").fill("BRUNO SA");
    await screenshot(fan, "provider-pay-390-nojs");
    await fan.getByRole("button", { name: /^Pagar R\$/ }).click();
    await fan.waitForURL(`${coreto.origin}/checkout/**`);
    await isPaid(fan);
    await screenshot(fan, "paid-390-nojs");
    await fan.goto(postPath);
    await fan.getByText("Gravamos o ensaio inteiro, com os erros.").waitFor();
    const image = await fan
      .getByRole("img", { name: "A rabeca sobre a mesa do camarim" })
      .getAttribute("src");
    const bytes = await fan.context().request.get(image ?? "");
    expect(bytes.status()).toBe(200);
    await screenshot(fan, "post-open-390-nojs");
  },
);

test("a Pix page refreshes by itself until it is paid", async () => {
  const seller = await signUpSeller(coreto.origin);
  const fan = await plainPage();
  await signInAsMember(fan, await signUpMember(coreto.origin, "Bruno Sá"));
  await fan.goto(`/checkout?plan=${seller.planId}`);
  await fan.getByRole("button", { name: "Pagar com Pix" }).click();
  await fan.waitForURL(/\/checkout\/[^?]+$/);
  await screenshot(fan, "pix-390-nojs");
  await fan.getByText("Ver o QR code").click();
  await fan.getByRole("img", { name: "QR code do Pix" }).last().waitFor();
  await fan.getByRole("button", { name: "Já paguei" }).click();
  await fan.getByText("Perguntamos ao banco: o pagamento ainda não chegou.").waitFor();
  const waitingAt = fan.url();
  await payPix(coreto.origin, (await fan.getByLabel("Código Pix").innerText()).trim());
  await isPaid(fan);
  expect(fan.url()).toBe(waitingAt);
});

test("a member follows, likes and comments, and undoes each", async () => {
  const seller = await signUpSeller(coreto.origin);
  const post = await publishPostByForm(seller, {
    title: "Cantiga da chegada",
    visibility: "public",
    seed: 5,
  });
  const fan = await plainPage();
  await signInAsMember(fan, await signUpMember(coreto.origin, "Bruno Sá"));
  await fan.goto(`/space/${seller.username}`);
  await fan.getByRole("button", { name: `Seguir ${seller.name}` }).click();
  await fan.getByRole("button", { name: `Seguindo ${seller.name}` }).waitFor();
  await fan.goto(post.path);
  const heart = fan.getByRole("article");
  await heart.getByRole("button", { name: "Curtir 0" }).click();
  await heart.getByRole("button", { name: "Curtido 1" }).waitFor();
  await fan.getByLabel("Seu comentário").fill("Que coisa mais linda.");
  await fan.getByRole("button", { name: "Comentar" }).click();
  await fan.getByRole("listitem").getByText("Que coisa mais linda.").waitFor();
  await screenshot(fan, "post-commented-390-nojs");
  await heart.getByRole("button", { name: "Curtido 1" }).click();
  await heart.getByRole("button", { name: "Curtir 0" }).waitFor();
  await fan.goto(`/space/${seller.username}`);
  await fan.getByRole("button", { name: `Seguindo ${seller.name}` }).click();
  await fan.getByRole("button", { name: `Seguir ${seller.name}` }).waitFor();
  expect(new URL(fan.url()).pathname).toBe(`/space/${seller.username}`);
});
