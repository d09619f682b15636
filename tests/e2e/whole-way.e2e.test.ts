import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningCoreto } from "#scripts/coreto.ts";
import { newPage } from "#tests/support/browser.ts";
import { memberCaller, newcomer } from "#tests/support/caller.ts";
import { makeModerator, ownProduct } from "#tests/support/own-product.ts";
import { payPix, sandboxAct } from "#tests/support/sandbox.ts";
import { asMember, awake, fillSellerDetails, fillSignUp, imagesCame, openPage, payAsGuest, publishForPlan, sendPapers, shot } from "#tests/support/steps.ts";

let coreto: RunningCoreto;

beforeAll(async () => {
  coreto = await ownProduct();
});

afterAll(() => coreto.stop());

test("from a new page to the money in the bank: plan, documents, post, subscription by Pix, payout", { timeout: 180_000 }, async () => {
  const { origin } = coreto;
  const creator = { ...newcomer("Tereza Lira"), fullName: "Tereza Maria Lira" };
  const title = "O ensaio inteiro, com os erros";

  // Whoever creates opens a page, makes a plan and says who they are.
  const studio = await newPage({ origin });
  await studio.goto("/auth/register");
  await fillSignUp(studio, creator);
  await studio.getByText(`Boas-vindas ao Coreto, ${creator.name}.`).first().waitFor();
  await openPage(studio);
  await studio.goto("/plan/create");
  await awake(studio);
  await studio.getByLabel("Nome", { exact: true }).fill("Camarim");
  await studio.getByLabel("Benefícios").fill("Ensaios toda semana\nPartituras");
  await studio.getByLabel("Preço").pressSequentially("19,90");
  await studio.getByText("Você recebe R$ 18,90.").waitFor();
  await shot(studio, "plan-create-1280");
  await studio.getByRole("button", { name: "Criar plano" }).click();
  await studio.waitForURL("**/plan/*/activation");
  await fillSellerDetails(studio, creator);
  await studio.waitForURL("**/plan/*/update");
  await studio.getByText("Pronto: seu plano está à venda.").first().waitFor();
  const postPath = await publishForPlan(studio, { title, planName: "Camarim" });

  // A moderator looks at the documents, once their photos are there.
  await sendPapers(studio);
  const moderator = await memberCaller(origin, "Carla Reis");
  await makeModerator(coreto, moderator.email);
  const office = await newPage({ origin });
  await asMember(office, moderator);
  await office.goto("/admin/documents");
  await office.getByRole("link", { name: creator.fullName }).click();
  await office.getByRole("button", { name: "Aprovar" }).click();
  await office.getByText("Documentos aprovados.").first().waitFor();

  // A visitor finds the page and pays without an account: it is made on the way.
  const fan = await newPage({ origin });
  await fan.goto(`/space/${creator.username}/public`);
  await fan.getByText("Esta publicação é de quem assina Camarim.").waitFor();
  await fan.getByRole("region", { name: "Planos" }).getByRole("link", { name: "Assinar Camarim" }).click();
  await fan.waitForURL("**/checkout?plan=**");
  await awake(fan);
  await fan.getByRole("radio", { name: /^Pix Na hora/ }).check();
  await shot(fan, "guest-1280");
  await payAsGuest(fan, newcomer("Bruno Sá"));

  // Pix: the code, the countdown, and a page that turns to paid by itself.
  await fan.waitForURL(/\/checkout\/[^?]+$/);
  await fan.getByRole("img", { name: "QR code do Pix" }).first().waitFor();
  await fan.getByText(/O código vale por mais \d\d:\d\d/).waitFor();
  await awake(fan);
  await shot(fan, "pix-1280");
  await fan.getByRole("button", { name: "Copiar código Pix" }).click();
  await fan.getByRole("button", { name: "Copiado" }).waitFor();
  const pixCode = await fan.evaluate(() => navigator.clipboard.readText());
  expect(pixCode).toMatch(/^000201.*br\.gov\.bcb\.pix.*6304[0-9A-F]{4}$/);
  await fan.getByRole("button", { name: "Já paguei" }).click();
  await fan.getByText("Perguntamos ao banco: o pagamento ainda não chegou.").waitFor();
  await payPix(origin, pixCode);
  await fan.getByRole("heading", { name: /^Pronto.*pode entrar$/ }).waitFor();
  await shot(fan, "paid-1280");

  // What was locked is open, with its image, and the news has come.
  await fan.getByRole("link", { name: `Ver a página de ${creator.name}` }).click();
  await fan.getByRole("link", { name: "Assinante" }).first().waitFor();
  await fan.goto(postPath);
  await fan.getByText("Gravamos o ensaio inteiro, com os erros.").waitFor();
  expect(await imagesCame(fan, "A rabeca sobre a mesa do camarim")).toBe(true);
  await expect.poll(async () => {
    await fan.goto("/notifications");
    return fan.getByText(`Você assinou Camarim, de ${creator.name}.`).count();
  }, { timeout: 30_000 }).toBe(1);

  // After the hold the weekly payout goes out by itself: sixteen days always hold a Monday after the eighth.
  await studio.goto("/settings/transfers");
  await studio.getByText("Nenhum saque ainda.").waitFor();
  await sandboxAct(origin, "clock", { advance: "P16D" });
  await expect.poll(async () => {
    await studio.goto("/settings/transfers");
    return studio.getByText("Pago", { exact: true }).count();
  }, { timeout: 60_000 }).toBe(1);
  await expect.poll(() => studio.getByRole("listitem").filter({ hasText: "Pago" }).innerText()).toMatch(/R\$\s18,90/);
  await shot(studio, "transfers-1280");

  // And the books are right.
  await office.goto("/admin/ledger");
  await office.getByText("Tudo fecha").waitFor();
  await expect.poll(() => office.getByText(": quebrada").count()).toBe(0);
  await expect.poll(() => office.getByText(": certo").count()).toBeGreaterThanOrEqual(12);
  await shot(office, "ledger-1280");
});
