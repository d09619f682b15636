import { expect, test } from "vitest";
import { firstIrregular, taxIdChecks, checksLabel } from "#app/domain/documents/registry/rules.ts";
import { LISTED, localRegistry } from "#app/integrations/registry/local.server.ts";
import { cnpjSchema, cpfSchema } from "#app/domain/identity/tax-ids/schema.ts";

const sentDocuments = { cpf: "52998224725", cnpj: null, fullName: "Ana Lira", companyName: null };
const firm = { ...sentDocuments, cnpj: "12ABC34501DE35", companyName: "Lira Discos Ltda" };
const said = (
  situation: "regular" | "suspended",
  name: string | null = null,
  number: { taxKind: "cpf" | "cnpj"; taxId: string } = { taxKind: "cpf", taxId: sentDocuments.cpf },
) => ({ ...number, situation, name });

test.each([
  ["nothing was answered", sentDocuments, [], "unasked", null],
  ["regular", sentDocuments, [said("regular", "ANA MARIA LIRA")], "regular", null],
  ["regular, of another name", sentDocuments, [said("regular", "BRUNO PAZ")], "other_name", null],
  [
    "the last answer counts",
    sentDocuments,
    [said("suspended"), said("regular")],
    "irregular",
    "cpf",
  ],
  [
    "the last answer replaces an earlier one",
    sentDocuments,
    [said("regular"), said("suspended")],
    "regular",
    null,
  ],
  ["a company of which only the CPF was answered", firm, [said("regular")], "unasked", null],
  [
    "a company whose person is not regular",
    firm,
    [said("suspended"), said("regular", "LIRA DISCOS", { taxKind: "cnpj", taxId: firm.cnpj })],
    "irregular",
    "cpf",
  ],
  [
    "an answer about a number sent before",
    sentDocuments,
    [said("suspended", null, { taxKind: "cpf", taxId: "11144477735" })],
    "unasked",
    null,
  ],
] as const)("the queue: %s", (_, documents, answers, word, refused) => {
  const standings = taxIdChecks(documents, answers);
  expect([checksLabel(standings), firstIrregular(standings)?.taxKind ?? null]).toEqual([
    word,
    refused,
  ]);
});

test("the local registry knows check digits and a list of tax ids that forms accept", async () => {
  const { ask } = localRegistry();
  expect(await ask({ taxKind: "cpf", taxId: "52998224725" })).toEqual({
    situation: "regular",
    name: null,
  });
  expect(await ask({ taxKind: "cpf", taxId: "52998224724" })).toEqual({
    situation: "not_found",
    name: null,
  });
  expect(await ask({ taxKind: "cnpj", taxId: "12ABC34501DE35" })).toEqual({
    situation: "regular",
    name: null,
  });
  expect(await ask({ taxKind: "cnpj", taxId: "12ABC34501DE36" })).toEqual({
    situation: "not_found",
    name: null,
  });
  for (const [taxId, answer] of Object.entries(LISTED)) {
    const taxKind = taxId.length === 11 ? ("cpf" as const) : ("cnpj" as const);
    expect((taxKind === "cpf" ? cpfSchema : cnpjSchema).parse(taxId)).toBe(taxId);
    expect(await ask({ taxKind, taxId })).toEqual(answer);
  }
});
