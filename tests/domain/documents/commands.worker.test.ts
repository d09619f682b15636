import { generateCpf } from "@brazilian-utils/brazilian-utils/generate-cpf";
import { and, eq, like } from "drizzle-orm";
import { expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { rejectDocuments } from "#app/domain/documents/commands.server.ts";
import {
  commitDocuments,
  submitDocumentsStatements,
} from "#app/domain/documents/commands/submit.server.ts";
import {
  TaxIdInUse,
  DocumentsAlreadyApproved,
  DocumentsNotPending,
  DocumentsUnderReview,
  DocumentModeratorRequired,
  DocumentsConflictOfInterest,
  SellerUnderage,
} from "#app/domain/documents/errors.ts";
import { loadRejectionOptions } from "#app/domain/documents/files/commands/views.server.ts";
import {
  documentsOfPerson,
  documentsUnderDecision,
  pendingDocuments,
} from "#app/domain/documents/queries.server.ts";
import { submitSellerDetails } from "#app/domain/payouts/destinations/commands.server.ts";
import { PixKeyMissing, PixKeyNotYours } from "#app/domain/payouts/errors.ts";
import { withdrawalMethodOfCreator } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import * as documentPage from "#app/routes/admin/documents/document.tsx";
import { people } from "#drizzle/schema/identity.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import {
  createModerator,
  insertDocumentFiles,
  createPerson,
  approveOpened,
} from "#tests/support/people.ts";
import { moderatorInTeam } from "#tests/support/teams.ts";

const documentInput = (
  overrides: { cpf?: string; fullName?: string; birthDate?: string } = {},
) => ({
  fullName: "Ana Maria Lira",
  cpf: generateCpf(),
  birthDate: "1990-01-31",
  ...overrides,
});

async function sent(ctx: Context, sending = documentInput()) {
  const { id } = await createPerson(ctx);
  await commit(ctx.db, await submitDocumentsStatements(ctx, { personId: id, ...sending }));
  await insertDocumentFiles(ctx, id);
  return { personId: id, ...sending };
}

test("documents are sent, approved and notified once", async () => {
  const { ctx } = await testContext();
  const { personId } = await sent(ctx);
  const { id: moderatorId } = await createModerator(ctx);
  expect((await documentsOfPerson(ctx, { personId }))?.status).toBe("submitted");

  await approveOpened(ctx, { moderatorId, personId });
  expect((await documentsOfPerson(ctx, { personId }))?.status).toBe("approved");
  await expect(approveOpened(ctx, { moderatorId, personId })).rejects.toThrow(DocumentsNotPending);

  const announced = await ctx.db
    .select()
    .from(outbox)
    .where(and(eq(outbox.type, "documents.decided"), like(outbox.id, `documents:${personId}:%`)));
  expect(announced.map((row) => row.payload["decision"])).toEqual(["approved"]);
});

test("two concurrent moderators make one decision", async () => {
  const { ctx } = await testContext();
  const { personId } = await sent(ctx);
  const [one, other] = [await createModerator(ctx), await createModerator(ctx)];
  const outcomes = await Promise.allSettled([
    approveOpened(ctx, { moderatorId: one.id, personId }),
    rejectDocuments(ctx, { moderatorId: other.id, personId, code: "name_differs" }),
  ]);
  expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
  expect(outcomes.find((outcome) => outcome.status === "rejected")?.reason).toBeInstanceOf(
    DocumentsNotPending,
  );
});

test("rejected documents show the reason, and can be corrected and sent again", async () => {
  const { ctx } = await testContext();
  const { personId } = await sent(ctx);
  const { id: moderatorId } = await createModerator(ctx);
  await rejectDocuments(ctx, { moderatorId, personId, code: "name_differs" });
  expect(await documentsOfPerson(ctx, { personId })).toMatchObject({
    status: "rejected",
    rejectionCode: "name_differs",
    rejectionReason:
      "O nome não é o mesmo do documento. Escreva o nome completo igual ao do documento.",
  });

  await commit(
    ctx.db,
    await submitDocumentsStatements(ctx, {
      personId,
      ...documentInput({ fullName: "Ana Lira de Souza" }),
    }),
  );
  expect(await documentsOfPerson(ctx, { personId })).toMatchObject({
    status: "submitted",
    rejectionReason: null,
    fullName: "Ana Lira de Souza",
  });
});

test("only moderators decide, and nobody on their own documents", async () => {
  const { ctx } = await testContext();
  const { personId } = await sent(ctx);
  const stranger = await createPerson(ctx);
  await expect(approveOpened(ctx, { moderatorId: stranger.id, personId })).rejects.toThrow(
    DocumentModeratorRequired,
  );
  await expect(approveOpened(ctx, { moderatorId: personId, personId })).rejects.toThrow(
    DocumentModeratorRequired,
  );

  const { id: moderatorId } = await createModerator(ctx);
  await commit(
    ctx.db,
    await submitDocumentsStatements(ctx, { personId: moderatorId, ...documentInput() }),
  );
  await expect(approveOpened(ctx, { moderatorId, personId: moderatorId })).rejects.toThrow(
    DocumentsConflictOfInterest,
  );
  expect((await documentsOfPerson(ctx, { personId }))?.status).toBe("submitted");
});

test("the same documents sent twice are saved once; others wait for the decision", async () => {
  const { ctx } = await testContext();
  const { personId, ...sending } = await sent(ctx);
  expect(await submitDocumentsStatements(ctx, { personId, ...sending })).toEqual([]);
  await expect(
    submitDocumentsStatements(ctx, { personId, ...sending, fullName: "Outro Nome" }),
  ).rejects.toThrow(DocumentsUnderReview);

  await approveOpened(ctx, { moderatorId: (await createModerator(ctx)).id, personId });
  await expect(submitDocumentsStatements(ctx, { personId, ...sending })).rejects.toThrow(
    DocumentsAlreadyApproved,
  );
});

test("a moderator cannot approve, reject or revoke their own documents, or those of a team whose money they see", async () => {
  const { ctx } = await testContext();
  const { personId } = await sent(ctx);
  const [decider, colleague] = [await createModerator(ctx), await moderatorInTeam(ctx, personId)];
  await ctx.db.update(people).set({ isModerator: true }).where(eq(people.id, personId));
  const refusesSides = async () => {
    for (const moderatorId of [personId, colleague.id]) {
      await expect(approveOpened(ctx, { moderatorId, personId })).rejects.toThrow(
        DocumentsConflictOfInterest,
      );
      await expect(
        rejectDocuments(ctx, { moderatorId, personId, code: "unreadable" }),
      ).rejects.toThrow(DocumentsConflictOfInterest);
      await expect(loadRejectionOptions(ctx, { moderatorId, personId })).rejects.toThrow(
        DocumentsConflictOfInterest,
      );
    }
  };
  await refusesSides();
  await approveOpened(ctx, { moderatorId: decider.id, personId });
  await refusesSides();

  const routes = callRoutesAs([{ path: "admin/documents/:personId", module: documentPage }]);
  const shownTo = async (id: string) =>
    (
      await routes.read<{ sideOf: string | null }>(
        { person: { ...decider, id }, isModerator: true },
        `/admin/documents/${personId}`,
      )
    ).sideOf;
  expect([await shownTo(personId), await shownTo(colleague.id), await shownTo(decider.id)]).toEqual(
    ["own", "team", null],
  );
});

test("documents of a person under eighteen are refused", async () => {
  const { ctx } = await testContext();
  const { id: personId } = await createPerson(ctx);
  await expect(
    submitDocumentsStatements(ctx, { personId, ...documentInput({ birthDate: "2015-01-01" }) }),
  ).rejects.toThrow(SellerUnderage);
});

test("a CPF belongs to one account, until a moderator decides otherwise", async () => {
  const { ctx } = await testContext();
  const first = await sent(ctx);
  const { id: personId } = await createPerson(ctx);
  const same = { personId, ...documentInput({ cpf: first.cpf }) };
  await expect(submitDocumentsStatements(ctx, same)).rejects.toThrow(TaxIdInUse);

  await rejectDocuments(ctx, {
    moderatorId: (await createModerator(ctx)).id,
    personId: first.personId,
    code: "number_differs",
  });
  await commit(ctx.db, await submitDocumentsStatements(ctx, same));
  expect((await documentsOfPerson(ctx, { personId }))?.cpf).toBe(first.cpf);
});

test("a CPF without files can be taken by another account after fourteen days; with a file it stays", async () => {
  const { ctx, advance } = await testContext();
  const same = documentInput();
  const [{ id: hostile }, { id: owner }, { id: third }] = [
    await createPerson(ctx),
    await createPerson(ctx),
    await createPerson(ctx),
  ];
  await commit(ctx.db, await submitDocumentsStatements(ctx, { personId: hostile, ...same }));
  await advance(14 * DAY_MS - MINUTE_MS);
  await expect(submitDocumentsStatements(ctx, { personId: owner, ...same })).rejects.toThrow(
    TaxIdInUse,
  );
  await advance(MINUTE_MS);
  const submission = { personId: owner, ...same };
  const late = await submitDocumentsStatements(ctx, { personId: third, ...same });
  await commitDocuments(ctx, {
    submission,
    writes: await submitDocumentsStatements(ctx, submission),
  });
  await expect(
    commitDocuments(ctx, { submission: { personId: third, ...same }, writes: late }),
    "exactly one decision is saved",
  ).rejects.toThrow(TaxIdInUse);
  expect([
    (await documentsOfPerson(ctx, { personId: hostile }))?.rejectionReason,
    (await documentsOfPerson(ctx, { personId: owner }))?.status,
  ]).toEqual([expect.stringContaining("não chegaram em 14 dias"), "submitted"]);
  expect(
    (
      await ctx.db
        .select()
        .from(outbox)
        .where(like(outbox.id, `documents:${hostile}:%`))
    ).map((row) => row.payload["decision"]),
  ).toEqual(["rejected"]);

  await insertDocumentFiles(ctx, owner);
  await advance(15 * DAY_MS);
  await expect(submitDocumentsStatements(ctx, { personId: third, ...same })).rejects.toThrow(
    TaxIdInUse,
  );
});

test("of two accounts that send one CPF at the same moment, the database accepts one", async () => {
  const { ctx } = await testContext();
  const [one, other] = [await createPerson(ctx), await createPerson(ctx)];
  const same = documentInput();
  const handedIn = await Promise.all(
    [one, other].map(async ({ id: personId }) => ({
      submission: { personId, ...same },
      writes: await submitDocumentsStatements(ctx, { personId, ...same }),
    })),
  );
  const outcomes = await Promise.allSettled(
    handedIn.map((documents) => commitDocuments(ctx, documents)),
  );
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(refused).toHaveLength(1);
  expect(refused[0]?.reason).toBeInstanceOf(TaxIdInUse);
});

test("the seller form sent twice at once saves one set of documents and holds no payout", async () => {
  const { ctx } = await testContext();
  const { id: personId, email } = await createPerson(ctx);
  const details = { personId, ...documentInput(), pixKey: { kind: "email" as const, key: email } };
  const outcomes = await Promise.allSettled([1, 2].map(() => submitSellerDetails(ctx, details)));
  for (const outcome of outcomes)
    if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(DocumentsUnderReview);
  await submitSellerDetails(ctx, details);
  expect((await documentsOfPerson(ctx, { personId }))?.status).toBe("submitted");
  expect((await withdrawalMethodOfCreator(ctx, { creatorId: personId }))?.holdUntil).toBeNull();

  await submitSellerDetails(ctx, { ...details, pixKey: { kind: "email", key: `outra.${email}` } });
  expect(
    (await withdrawalMethodOfCreator(ctx, { creatorId: personId }))?.holdUntil,
  ).toBeGreaterThan(ctx.now());
  const notifications = (await ctx.db.select().from(outbox)).filter(
    ({ id, payload }) => id.startsWith("withdrawal:") && JSON.stringify(payload).includes(personId),
  );
  expect(notifications).toHaveLength(1);
});

test("documents sent again without a Pix key keep the payout destination, also a bank account; without any, a key is required", async () => {
  const { ctx } = await testContext();
  const { id: personId, email } = await createPerson(ctx);
  const details = { personId, ...documentInput() };
  await expect(submitSellerDetails(ctx, { ...details, pixKey: null })).rejects.toBeInstanceOf(
    PixKeyMissing,
  );
  await submitSellerDetails(ctx, { ...details, pixKey: { kind: "email", key: email } });
  const account = {
    pixKeyKind: "bank_account",
    pixKey: "237 1425 238069-2 checking",
    schedule: "manual",
  } as const;
  await ctx.db
    .update(withdrawalMethods)
    .set(account)
    .where(eq(withdrawalMethods.creatorId, personId));
  await rejectDocuments(ctx, {
    moderatorId: (await createModerator(ctx)).id,
    personId,
    code: "name_differs",
  });
  const before = await withdrawalMethodOfCreator(ctx, { creatorId: personId });
  await submitSellerDetails(ctx, { ...details, fullName: "Ana Lira Souza", pixKey: null });
  expect(await documentsOfPerson(ctx, { personId })).toMatchObject({
    status: "submitted",
    fullName: "Ana Lira Souza",
  });
  expect(before).toMatchObject(account);
  expect(await withdrawalMethodOfCreator(ctx, { creatorId: personId })).toEqual(before);
});

test("a company whose payout destination is a personal CPF must give its own key", async () => {
  const { ctx } = await testContext();
  const { id: personId } = await createPerson(ctx);
  const own = documentInput();
  await submitSellerDetails(ctx, { personId, ...own, pixKey: { kind: "cpf", key: own.cpf } });
  await rejectDocuments(ctx, {
    moderatorId: (await createModerator(ctx)).id,
    personId,
    code: "name_differs",
  });
  await expect(
    submitSellerDetails(ctx, {
      personId,
      ...own,
      company: { name: "Lira Ltda.", cnpj: "12ABC34501DE35" },
      pixKey: null,
    }),
  ).rejects.toBeInstanceOf(PixKeyNotYours);
});

test("the queue is in the order of arrival, page by page", async () => {
  const world = await testContext();
  const sentIds: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    sentIds.push((await sent(world.ctx)).personId);
    await world.advance(1_000);
  }
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof pendingDocuments>> = await pendingDocuments(world.ctx, {
      moderatorId: "carla",
      cursor,
      limit: 2,
    });
    seen.push(...page.items.map((item) => item.personId));
    cursor = page.next;
  } while (cursor !== null);
  expect(seen.filter((id) => sentIds.includes(id))).toEqual(sentIds);
  expect(new Set(seen).size).toBe(seen.length);
});

test("documents without a file are in the queue with no files", async () => {
  const { ctx } = await testContext();
  const { id: personId } = await createPerson(ctx);
  await commit(ctx.db, await submitDocumentsStatements(ctx, { personId, ...documentInput() }));
  const { items } = await pendingDocuments(ctx, { moderatorId: "carla", cursor: null, limit: 50 });
  expect(items.find((item) => item.personId === personId)?.kinds).toEqual([]);
  expect((await documentsUnderDecision(ctx, { personId }))?.kinds).toEqual([]);
});
