import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningProduct } from "#scripts/local-product.ts";
import { newPage } from "#tests/support/browser.ts";
import { signUpMember, newMemberInput, PASSWORD } from "#tests/support/form-client.ts";
import { makeModerator, ownProduct } from "#tests/support/own-product.ts";
import { jumpToMonday, payPix, sandboxAct } from "#tests/support/sandbox.ts";
import {
  signInAsMember,
  hydrated,
  fillSellerDetails,
  fillSignUp,
  imagesLoaded,
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

/** Makes the sign-in of a member old, which only waiting could do. */
async function signedInLongAgo(email: string): Promise<void> {
  const db = await coreto.miniflare.getD1Database("DB", "app");
  await db
    .prepare(
      "UPDATE auth_sessions SET created_at = created_at - 1800000 WHERE user_id = (SELECT id FROM auth_users WHERE email = ?)",
    )
    .bind(email)
    .run();
}

test(
  "from a new page to the payout: plan, documents, post, Pix subscription, bank account payout, and repaid refund debt",
  { timeout: 180_000 },
  async () => {
    const { origin } = coreto;
    const creator = { ...newMemberInput("Tereza Lira"), fullName: "Tereza Maria Lira" };
    const title = "O ensaio inteiro, com os erros";

    // The creator opens a page, creates a plan and sends documents.
    const studio = await newPage({ origin });
    await studio.goto("/auth/register");
    await fillSignUp(studio, creator);
    await studio.getByText(`Boas-vindas ao Coreto, ${creator.name}.`).first().waitFor();
    await openPage(studio);
    await studio.goto("/plan/create");
    await hydrated(studio);
    await studio.getByLabel("Nome", { exact: true }).fill("Camarim");
    await studio.getByLabel("Benefícios").fill("Ensaios toda semana\nPartituras");
    await studio.getByLabel("Preço").pressSequentially("19,90");
    await studio.getByText("Você recebe R$ 18,90.").waitFor();
    await screenshot(studio, "plan-create-1280");
    await studio.getByRole("button", { name: "Criar plano" }).click();
    await studio.waitForURL("**/plan/*/activation");
    await fillSellerDetails(studio, creator);
    await studio.waitForURL("**/plan/*/ready");
    await studio.getByRole("heading", { name: "Camarim está à venda", level: 1 }).waitFor();
    await studio.getByRole("heading", { name: "Conte para as pessoas" }).waitFor();
    await studio.getByText("Pronto: seu plano está à venda.").first().waitFor();
    const postPath = await publishForPlan(studio, { title, planName: "Camarim" });

    // A moderator reviews the documents once their photos are uploaded.
    await uploadDocuments(studio);
    const moderator = await signUpMember(origin, "Carla Reis");
    await makeModerator(coreto, moderator.email);
    const office = await newPage({ origin });
    await signInAsMember(office, moderator);
    await office.goto("/admin/documents");
    await office.getByRole("link", { name: creator.fullName }).click();
    await openDocumentPhotos(office);
    await office.getByRole("button", { name: "Aprovar" }).click();
    await office.getByText("Documentos aprovados.").first().waitFor();

    // A visitor finds the page and pays: the account is created during the checkout.
    const fan = await newPage({ origin });
    await fan.goto(`/space/${creator.username}/public`);
    await fan.getByText("Esta publicação é de quem assina Camarim.").waitFor();
    await fan
      .getByRole("region", { name: "Planos" })
      .getByRole("link", { name: "Assinar Camarim" })
      .click();
    await fan.waitForURL("**/checkout?plan=**");
    await hydrated(fan);
    await fan.getByRole("radio", { name: /^Pix Na hora/ }).check();
    await screenshot(fan, "guest-1280");
    await payAsGuest(fan, newMemberInput("Bruno Sá"));

    // Pix: the code, the countdown, and a page that changes to paid by itself.
    await fan.waitForURL(/\/checkout\/[^?]+$/);
    await fan.getByRole("img", { name: "QR code do Pix" }).first().waitFor();
    await fan.getByText(/O código vale por mais \d\d:\d\d/).waitFor();
    await hydrated(fan);
    await screenshot(fan, "pix-1280");
    await fan.getByRole("button", { name: "Copiar código Pix" }).click();
    await fan.getByRole("button", { name: "Copiado" }).waitFor();
    const pixCode = await fan.evaluate(() => navigator.clipboard.readText());
    expect(pixCode).toMatch(/^000201.*br\.gov\.bcb\.pix.*6304[0-9A-F]{4}$/);
    await fan.getByRole("button", { name: "Já paguei" }).click();
    await fan.getByText("Perguntamos ao banco: o pagamento ainda não chegou.").waitFor();
    await payPix(origin, pixCode);
    await fan.getByRole("heading", { name: /^Pronto.*pode entrar$/ }).waitFor();
    await screenshot(fan, "paid-1280");

    // The locked post is open with its image, and the notification arrived.
    await fan.getByRole("link", { name: `Ver a página de ${creator.name}` }).click();
    await fan.getByRole("link", { name: "Assinante" }).first().waitFor();
    await fan.goto(postPath);
    await fan.getByText("Gravamos o ensaio inteiro, com os erros.").waitFor();
    expect(await imagesLoaded(fan, "A rabeca sobre a mesa do camarim")).toBe(true);
    await expect
      .poll(
        async () => {
          await fan.goto("/notifications");
          return fan.getByText(`Você assinou Camarim, de ${creator.name}.`).count();
        },
        { timeout: 30_000 },
      )
      .toBe(1);

    // The creator replaces the Pix key by a bank account. An old sign-in is refused, and the change
    // holds payouts for a day.
    await signedInLongAgo(creator.email);
    await studio.goto("/settings/withdrawal-method");
    await studio.waitForURL("**/auth/confirm**");
    await studio.getByLabel("Senha", { exact: true }).fill(PASSWORD);
    await studio.getByRole("button", { name: "Continuar" }).click();
    await studio.waitForURL("**/settings/withdrawal-method");
    await hydrated(studio);
    await studio.getByRole("radio", { name: /^Conta bancária/ }).check();
    await studio.getByLabel("Banco", { exact: true }).fill("237");
    await studio.getByLabel("Agência").fill("1425");
    await studio.getByRole("textbox", { name: "Conta" }).fill("238069");
    await studio.getByLabel("Dígito").fill("2");
    await studio.getByRole("button", { name: "Trocar", exact: true }).click();
    await studio
      .getByText(/Conta salva: .*Bradesco/)
      .first()
      .waitFor();
    await studio.getByText("Saques voltam em").waitFor();
    await screenshot(studio, "withdrawal-account-1280");

    // After the hold period the weekly payout goes out. Banks open on business days, during the
    // day.
    await studio.goto("/settings/transfers");
    await studio.getByText("Nenhum saque ainda.").waitFor();
    await jumpToMonday(origin);
    const payout = studio.getByRole("listitem").filter({ hasText: "Pago" });
    await expect
      .poll(
        async () => {
          await studio.goto("/settings/transfers");
          const paid = await payout.count();
          if (paid === 0) await sandboxAct(origin, "clock", { advance: "PT6H" });
          return paid;
        },
        { timeout: 60_000 },
      )
      .toBe(1);
    await expect.poll(() => payout.innerText()).toMatch(/R\$\s18,90[\s\S]*Bradesco · agência 1425/);
    await screenshot(studio, "transfers-1280");

    // A refund after the payout leaves a debt, which the creator repays by Pix on the same screens.
    await studio.goto("/settings/transactions");
    await studio.getByRole("link", { name: /Bruno Sá/ }).click();
    await studio.getByRole("link", { name: "Devolver", exact: true }).click();
    await hydrated(studio);
    await studio.getByLabel("Quanto devolver").fill("19,90");
    await studio.getByLabel("Quanto devolver").press("Enter");
    await studio.getByRole("button", { name: /Devolver R\$\s19,90/ }).click();
    await studio.getByText(/R\$\s19,90 de volta para quem pagou/).waitFor();
    await studio.goto("/settings/transfers");
    await studio.getByRole("link", { name: "Ver e quitar com Pix" }).click();
    await studio.getByRole("button", { name: "Quitar com Pix" }).click();
    await studio.getByRole("img", { name: "QR code do Pix" }).first().waitFor();
    await hydrated(studio);
    await studio.getByRole("button", { name: "Copiar código Pix" }).click();
    await studio.getByRole("button", { name: "Copiado" }).waitFor();
    await payPix(origin, await studio.evaluate(() => navigator.clipboard.readText()));
    await studio
      .getByText(/Recebemos o seu Pix de R\$\s18,90/)
      .first()
      .waitFor();
    await expect.poll(() => studio.getByRole("region", { name: "A descontar" }).count()).toBe(0);

    // The ledger checks pass.
    await office.goto("/admin/ledger");
    await office.getByText("Tudo fecha").waitFor();
    await expect.poll(() => office.getByText(": quebrada").count()).toBe(0);
    await expect.poll(() => office.getByText(": certo").count()).toBeGreaterThanOrEqual(12);
    await screenshot(office, "ledger-1280");
  },
);
