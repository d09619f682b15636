import { formatCnpj } from "@brazilian-utils/brazilian-utils/format-cnpj";
import { generateCnpj } from "@brazilian-utils/brazilian-utils/generate-cnpj";
import { generateCpf } from "@brazilian-utils/brazilian-utils/generate-cpf";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningProduct } from "#scripts/local-product.ts";
import { newPage } from "#tests/support/browser.ts";
import { signUpMember } from "#tests/support/form-client.ts";
import { makeModerator, ownProduct } from "#tests/support/own-product.ts";
import {
  openDocumentPhotos,
  signInAsMember,
  uploadDocuments,
  screenshot,
} from "#tests/support/steps.ts";

let coreto: RunningProduct;
beforeAll(async () => {
  coreto = await ownProduct();
});
afterAll(() => coreto.stop());

test(
  "a company sends its documents, a moderator approves them, and its CNPJ becomes its Pix key",
  { timeout: 120_000 },
  async () => {
    const { origin } = coreto;
    const [owner, moderator] = [
      await signUpMember(origin, "Ana Lira"),
      await signUpMember(origin, "Carla Reis"),
    ];
    await makeModerator(coreto, moderator.email);
    const cnpj = generateCnpj();

    const page = await newPage({ origin });
    await signInAsMember(page, owner);
    await page.goto("/settings/check-documents");
    await page.getByRole("radio", { name: /^Empresa/ }).check();
    await page.getByLabel("Razão social").fill("Lira & Filhos Ltda");
    await page.getByRole("textbox", { name: "CNPJ", exact: true }).fill(formatCnpj(cnpj));
    await page.getByLabel("Nome completo").fill("Ana Maria Lira");
    await page.getByRole("textbox", { name: "CPF", exact: true }).fill(generateCpf());
    await page.getByLabel("Data de nascimento").fill("31/01/1990");
    await page.getByRole("radio", { name: "E-mail" }).check();
    await page.getByLabel("Chave Pix").fill(owner.email);
    await screenshot(page, "company-documents-1280");
    await page.getByRole("button", { name: "Enviar documentos" }).click();
    await page.waitForURL("**/check-documents/files");
    await uploadDocuments(page, { isCompany: true });
    await screenshot(page, "company-papers-1280");

    const office = await newPage({ origin });
    await signInAsMember(office, moderator);
    await office.goto("/admin/documents");
    await office.getByRole("link", { name: "Lira & Filhos Ltda" }).click();
    await office.getByRole("button", { name: "Aprovar" }).click();
    await office.getByText("Antes de aprovar, abra o que ainda não viu: Frente do RG").waitFor();
    await openDocumentPhotos(office);
    const photo = office.getByRole("img", { name: "Cartão CNPJ" });
    await photo.waitFor();
    const typed = office.getByRole("region", { name: "O que a pessoa escreveu" });
    const [left, right] = [await typed.boundingBox(), await photo.boundingBox()];
    expect(right?.x).toBeGreaterThan((left?.x ?? Infinity) + (left?.width ?? 0));
    await office.reload();
    await office
      .getByRole("region", { name: "Quem viu" })
      .getByText("Carla Reis, Cartão CNPJ")
      .waitFor();
    await office.getByLabel("Validade do documento").fill("31/12/2035");
    await screenshot(office, "company-moderated-1280");
    await office.getByRole("button", { name: "Aprovar" }).click();
    await office.getByText("Documentos aprovados.").first().waitFor();

    await page.goto("/settings/withdrawal-method");
    await page.getByRole("radio", { name: "CNPJ" }).check();
    await page.getByRole("textbox", { name: "Chave Pix" }).fill(formatCnpj(cnpj));
    await page.getByRole("button", { name: "Trocar", exact: true }).click();
    await page.getByText("Chave Pix salva.").first().waitFor();
    await expect
      .poll(() =>
        page.getByText(`••.${cnpj.slice(2, 5)}.${cnpj.slice(5, 8)}/••••-${cnpj.slice(12)}`).count(),
      )
      .toBe(1);
  },
);
