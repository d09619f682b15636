import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { signUpMember, publishPostByForm, signUpSeller } from "#tests/support/form-client.ts";
import type { SellerClient } from "#tests/support/form-client.ts";
import { payPix } from "#tests/support/sandbox.ts";
import { sharedServer } from "#tests/support/server.ts";
import { openPageAs, screenshot } from "#tests/support/steps.ts";

let origin = "";
let creator: SellerClient;
let giver: Awaited<ReturnType<typeof signUpMember>>;

beforeAll(async () => {
  ({ origin } = sharedServer());
  creator = await signUpSeller(origin);
  giver = await signUpMember(origin, "Bruno Sá");
});

const copied = async (page: Page): Promise<string> => {
  await page.getByRole("button", { name: "Copiar código Pix" }).click();
  await page.getByRole("button", { name: "Copiado" }).waitFor();
  return await page.evaluate(() => navigator.clipboard.readText());
};

describe("one-time tip", () => {
  test(
    "any amount with a message is paid by Pix, read by the creator, and refunded in the cooling-off period",
    { timeout: 90_000 },
    async () => {
      const page = await openPageAs(giver, `/space/${creator.username}`, { width: 390 });
      await page.getByRole("link", { name: "Apoiar uma vez" }).click();
      await page.getByRole("heading", { name: `Apoiar ${creator.name}` }).waitFor();
      await screenshot(page, "tip-390");
      const other = page.getByLabel("Quanto você quer dar");
      await expect.poll(() => other.isVisible()).toBe(false);
      await page.getByLabel("Outro valor").check({ force: true });
      await other.fill("4,99");
      await page.getByLabel(`Mensagem para ${creator.name}`).fill("A rabeca me fez chorar.");
      await page.getByRole("button", { name: "Apoiar com Pix" }).click();
      await page.getByText(/^O menor apoio é R\$\s5,00$/).waitFor();
      await screenshot(page, "tip-problem-390");
      await expect
        .poll(() => page.getByLabel(`Mensagem para ${creator.name}`).inputValue())
        .toBe("A rabeca me fez chorar.");
      await other.fill("37,50");
      await page.getByRole("button", { name: "Apoiar com Pix" }).click();
      await page.getByRole("heading", { name: "Pague com Pix, e o apoio chega na hora" }).waitFor();
      await screenshot(page, "tip-pix-390");
      await payPix(origin, await copied(page));
      await page.getByRole("heading", { name: "Pronto, Bruno: seu apoio chegou" }).waitFor();
      // The focused code disappears: the focus moves to the heading with the result.
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
      await screenshot(page, "tip-paid-390");

      const studio = await openPageAs(creator, "/notifications", { width: 390 });
      await expect
        .poll(async () => {
          await studio.reload();
          return await studio
            .getByRole("link", {
              name: /Bruno Sá apoiou você com R\$\s37,50: “A rabeca me fez chorar.”/,
            })
            .count();
        })
        .toBe(1);
      await studio.getByRole("link", { name: /Bruno Sá apoiou você/ }).click();
      await studio.getByRole("heading", { name: "Bruno Sá escreveu" }).waitFor();
      await screenshot(studio, "tip-received-390");
      await studio.context().close();

      await page.getByRole("link", { name: "Ver este pagamento" }).click();
      await page.getByRole("link", { name: "Ver recibo" }).waitFor();
      await expect.poll(() => page.getByText("A rabeca me fez chorar.").count()).toBe(0);
      await page.getByRole("link", { name: "Desistir e receber tudo de volta" }).click();
      await page.getByRole("button", { name: "Desistir e receber de volta" }).click();
      await page.getByText("Pronto: tudo volta para você.").first().waitFor();
    },
  );

  test(
    "is paid without JavaScript from a public post, after signing in, and by card from R$ 10,00",
    { timeout: 60_000 },
    async () => {
      const { id } = await publishPostByForm(creator, {
        title: "Praça cheia",
        visibility: "public",
        seed: 5,
      });
      const visitor = await newPage({ javaScript: false, width: 1440 });
      await visitor.goto(`/space/${creator.username}/public/${id}`);
      await visitor.getByRole("link", { name: "Apoiar uma vez" }).click();
      await visitor.waitForURL(`**/space/${creator.username}/tip`);
      await visitor.getByRole("button", { name: "Receber o código e apoiar" }).waitFor();
      await visitor.context().close();
      const page = await openPageAs(giver, `/space/${creator.username}/tip`, {
        javaScript: false,
        width: 1440,
      });
      await screenshot(page, "tip-1440");
      await page.getByLabel("Outro valor").check({ force: true });
      await page.getByLabel("Quanto você quer dar").fill("9,99");
      await page.getByRole("radio", { name: /^Cartão/ }).check();
      await page.getByRole("button", { name: "Apoiar com cartão" }).click();
      await page.getByText("Este valor se paga só com Pix.").waitFor();
      await expect.poll(() => page.getByLabel("Quanto você quer dar").inputValue()).toBe("9,99");
      await page.getByLabel(/R\$\s20,00/).check({ force: true });
      await page.getByRole("radio", { name: /^Cartão/ }).check();
      await page.getByRole("button", { name: "Apoiar com cartão" }).click();
      await page.getByRole("link", { name: "Terminar o pagamento" }).click();
      await page.getByRole("button", { name: /Pagar/ }).waitFor();
      await page
        .getByText(/R\$\s20,00/)
        .first()
        .waitFor();
    },
  );
});
