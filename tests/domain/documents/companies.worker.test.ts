import { generateCnpj } from "@brazilian-utils/brazilian-utils/generate-cnpj";
import { generateCpf } from "@brazilian-utils/brazilian-utils/generate-cpf";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { buildReceipt } from "#app/components/payments/receipt.ts";
import {
  changeWithdrawalMethod,
  submitSellerDetails,
} from "#app/domain/payouts/destinations/commands.server.ts";
import { withdrawalMethodOfCreator } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { rejectDocuments } from "#app/domain/documents/commands.server.ts";
import { viewDocumentsAsModerator } from "#app/domain/documents/files/commands/views.server.ts";
import { banPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { TaxIdInUse, SellerUnderage } from "#app/domain/documents/errors.ts";
import { documentsOfPerson } from "#app/domain/documents/queries.server.ts";
import { formatCnpj } from "#app/domain/identity/tax-ids/rules.ts";
import { PixKeyNotYours } from "#app/domain/payouts/errors.ts";
import { planOffer } from "#app/domain/plans/queries.server.ts";
import { tipTarget } from "#app/domain/purchases/tips/queries.server.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { testContext } from "#tests/support/context.ts";
import {
  createModerator,
  insertDocumentFiles,
  createPerson,
  createSeller,
  approveOpened,
} from "#tests/support/people.ts";

const firm = (overrides: { cnpj?: string; cpf?: string; birthDate?: string } = {}) => {
  const { cnpj = generateCnpj(), cpf = generateCpf(), birthDate = "1990-01-31" } = overrides;
  return {
    fullName: "Ana Maria Lira",
    cpf,
    birthDate,
    company: { name: "Lira & Filhos Ltda", cnpj },
    pixKey: { kind: "cnpj" as const, key: cnpj },
  };
};

test("a company sends its documents, is approved, and is paid only to its own CNPJ", async () => {
  const { ctx } = await testContext();
  const { id: personId } = await createPerson(ctx);
  const sent = firm({ cnpj: "12ABC34501DE35" });
  await expect(
    submitSellerDetails(ctx, { personId, ...sent, pixKey: { kind: "cpf", key: sent.cpf } }),
  ).rejects.toThrow(PixKeyNotYours);
  await submitSellerDetails(ctx, { personId, ...sent });
  await submitSellerDetails(ctx, { personId, ...sent });
  await insertDocumentFiles(ctx, personId);
  await approveOpened(ctx, { moderatorId: (await createModerator(ctx)).id, personId });
  expect(await documentsOfPerson(ctx, { personId })).toMatchObject({
    status: "approved",
    sellerName: "Lira & Filhos Ltda",
    taxKind: "cnpj",
    taxId: "12ABC34501DE35",
    fullName: "Ana Maria Lira",
    cpf: sent.cpf,
  });
  expect(await withdrawalMethodOfCreator(ctx, { creatorId: personId })).toMatchObject({
    pixKeyKind: "cnpj",
    pixKey: "12ABC34501DE35",
  });

  for (const pixKey of [
    { kind: "cpf", key: sent.cpf },
    { kind: "cnpj", key: generateCnpj() },
  ] as const) {
    await expect(changeWithdrawalMethod(ctx, { creatorId: personId, to: pixKey })).rejects.toThrow(
      PixKeyNotYours,
    );
  }
  await changeWithdrawalMethod(ctx, {
    creatorId: personId,
    to: { kind: "email", key: "caixa@exemplo.test" },
  });
  await changeWithdrawalMethod(ctx, { creatorId: personId, to: sent.pixKey });
});

test("a CNPJ belongs to one account; its responsible person can have several companies and sell as themselves", async () => {
  const { ctx } = await testContext();
  const [one, other, third] = [
    await createPerson(ctx),
    await createPerson(ctx),
    await createPerson(ctx),
  ];
  const sent = firm();
  await submitSellerDetails(ctx, { personId: one.id, ...sent });
  await expect(
    submitSellerDetails(ctx, { personId: other.id, ...firm({ cnpj: sent.company.cnpj }) }),
  ).rejects.toMatchObject({ field: "contests", constructor: TaxIdInUse });
  await submitSellerDetails(ctx, { personId: other.id, ...firm({ cpf: sent.cpf }) });
  await submitSellerDetails(ctx, {
    personId: third.id,
    ...sent,
    company: null,
    pixKey: { kind: "cpf", key: sent.cpf },
  });

  await rejectDocuments(ctx, {
    moderatorId: (await createModerator(ctx)).id,
    personId: one.id,
    code: "number_differs",
  });
  const fourth = await createPerson(ctx);
  await submitSellerDetails(ctx, { personId: fourth.id, ...firm({ cnpj: sent.company.cnpj }) });
});

test("a banned person cannot return as a company, and moderators see the other account", async () => {
  const { ctx } = await testContext();
  const [banned, back, partner] = [
    await createPerson(ctx),
    await createPerson(ctx),
    await createPerson(ctx),
  ];
  const sent = firm();
  await submitSellerDetails(ctx, { personId: banned.id, ...sent });
  await submitSellerDetails(ctx, { personId: partner.id, ...firm({}), cpf: sent.cpf });
  const moderatorId = (await createModerator(ctx)).id;
  await banPerson(ctx, { moderatorId, personId: banned.id, reason: "Golpe" });
  await expect(
    submitSellerDetails(ctx, { personId: back.id, ...firm({}), cpf: sent.cpf }),
  ).rejects.toMatchObject({ field: "contests", constructor: TaxIdInUse });
  expect(
    (await viewDocumentsAsModerator(ctx, { moderatorId, personId: partner.id }))?.others,
  ).toEqual([expect.objectContaining({ personId: banned.id, isBanned: true })]);
});

test("of two accounts that send one CNPJ at the same moment, the database accepts one", async () => {
  const { ctx } = await testContext();
  const people = [await createPerson(ctx), await createPerson(ctx)];
  const cnpj = generateCnpj();
  const outcomes = await Promise.allSettled(
    people.map(({ id: personId }) => submitSellerDetails(ctx, { personId, ...firm({ cnpj }) })),
  );
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(refused).toHaveLength(1);
  expect(refused[0]?.reason).toBeInstanceOf(TaxIdInUse);
});

test("the responsible person must be of age, and a rejected person can return as a company", async () => {
  const { ctx } = await testContext();
  const { id: personId } = await createPerson(ctx);
  await expect(
    submitSellerDetails(ctx, { personId, ...firm({ birthDate: "2015-01-01" }) }),
  ).rejects.toThrow(SellerUnderage);
  const sent = firm();
  await submitSellerDetails(ctx, {
    personId,
    ...sent,
    company: null,
    pixKey: { kind: "cpf", key: sent.cpf },
  });
  await rejectDocuments(ctx, {
    moderatorId: (await createModerator(ctx)).id,
    personId,
    code: "other",
    note: "Você vende como empresa.",
  });
  await submitSellerDetails(ctx, { personId, ...sent });
  expect(await documentsOfPerson(ctx, { personId })).toMatchObject({
    status: "submitted",
    taxKind: "cnpj",
    cnpj: sent.company.cnpj,
  });
  expect(
    (await withdrawalMethodOfCreator(ctx, { creatorId: personId }))?.holdUntil,
  ).toBeGreaterThan(ctx.now() + DAY_MS / 2);
});

test("the database refuses incomplete company data", async () => {
  const { ctx } = await testContext();
  const { id: personId } = await createPerson(ctx);
  await submitSellerDetails(ctx, { personId, ...firm() });
  const alone = eq(documents.personId, personId);
  for (const half of [
    { cnpj: null },
    { companyName: null },
    { cnpj: "12abc34501de35" },
    { cnpj: "1" },
  ]) {
    await expect(ctx.db.update(documents).set(half).where(alone)).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining("half_a_company") }),
    });
  }
});

test("offers, tips and receipts name the company with its CNPJ, never its responsible person", async () => {
  const { ctx } = await testContext();
  const cnpj = generateCnpj();
  const ana = await createSeller(ctx, { company: { name: "Lira & Filhos Ltda", cnpj } });
  const named = { name: "Lira & Filhos Ltda", taxIdShown: `CNPJ ${formatCnpj(cnpj)}` };
  expect((await planOffer(ctx, { planId: ana.planId }))?.seller).toEqual(named);
  expect((await tipTarget(ctx, { key: ana.id, memberId: null }))?.seller).toEqual(named);
  const receipt = buildReceipt({
    side: "payer",
    charge: {
      id: "c",
      description: "Camarim",
      method: "pix",
      recurringPixId: null,
      amountCents: 1_990,
      feeCents: 100,
      netCents: 1_890,
      refundedCents: 0,
      refundedFeeCents: 0,
      disputedCents: 0,
      disputedFeeCents: 0,
    },
    succeededAt: ctx.now(),
    payer: { name: "Bruno", details: null },
    seller: {
      name: ana.name,
      username: ana.username,
      document: { name: named.name, taxKind: "cnpj", taxId: cnpj },
    },
    refunds: [],
    now: ctx.now(),
    company: ctx.settings.company,
  });
  expect(
    receipt.sections.find(({ title }) => title === "Quem vendeu")?.details.slice(0, 2),
  ).toEqual([
    { label: "Nome", value: named.name },
    { label: "CNPJ", value: formatCnpj(cnpj) },
  ]);
});
