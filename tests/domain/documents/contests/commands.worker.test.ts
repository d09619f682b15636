import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { approveDocuments, rejectDocuments } from "#app/domain/documents/commands.server.ts";
import { saveDocumentFile } from "#app/domain/documents/files/commands/files.server.ts";
import {
  loadRejectionOptions,
  viewDocumentsAsModerator,
} from "#app/domain/documents/files/commands/views.server.ts";
import {
  ContestConfirmationRequired,
  DocumentFilesNotOpened,
  DocumentsChanged,
  DocumentsIncomplete,
  DocumentsUnderReview,
  ContestNotCompared,
  TaxIdInUse,
} from "#app/domain/documents/errors.ts";
import { pendingDocuments } from "#app/domain/documents/queries.server.ts";
import { RIVALS_MAX, taxIdHolder } from "#app/domain/documents/contests/queries.server.ts";
import { canSell } from "#app/domain/documents/rules.ts";
import { submitSellerDetails } from "#app/domain/payouts/destinations/commands.server.ts";
import { loadPayoutSnapshot } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import { sellingProblem } from "#app/domain/plans/rules.ts";
import { documents, documentViews } from "#drizzle/schema/documents.ts";
import { contestedTaxId } from "#tests/support/contests.ts";
import { pngImage } from "#tests/support/images.ts";
import {
  insertDocumentFiles,
  createPerson,
  approveOpened,
  openDocumentFiles,
} from "#tests/support/people.ts";

test("a tax id with another account's files can be sent only as a contest, which cannot sell meanwhile", async () => {
  const { ctx, hostile, owner, carla, sent, send, of, statuses } = await contestedTaxId();
  await expect(send(owner)).rejects.toMatchObject({ constructor: TaxIdInUse, field: "contests" });
  await send(owner, true);
  const claim = await of(owner);
  expect([
    await statuses(),
    canSell(claim, ctx.now()),
    sellingProblem(claim, ctx.now()),
    (await loadPayoutSnapshot(ctx, { creatorId: owner.id })).documentsApproved,
  ]).toEqual([["contested", "submitted"], false, "documents_contested", false]);
  expect(canSell(await of(hostile), ctx.now()), "the holder can still sell").toBe(true);
  await expect(
    submitSellerDetails(ctx, {
      personId: owner.id,
      ...sent(),
      fullName: "Outra Ana",
      contests: true,
      pixKey: null,
    }),
  ).rejects.toBeInstanceOf(DocumentsUnderReview);
  await send(owner, true);
  expect(
    (await pendingDocuments(ctx, { moderatorId: carla.id, cursor: null, limit: 100 })).items
      .filter(({ taxId }) => taxId === sent().cpf)
      .map(({ status }) => status),
  ).toEqual(["submitted", "contested"]);
});

test("a moderator sees both sides from either account", async () => {
  const { ctx, hostile, owner, send, decides } = await contestedTaxId();
  await send(owner, true);
  await saveDocumentFile(ctx, {
    personId: owner.id,
    kind: "selfie",
    bytes: new Uint8Array(await pngImage(64, 40)),
  });
  const claim = await viewDocumentsAsModerator(ctx, decides(owner));
  expect([
    claim?.rivals.map(({ personId, status }) => [personId, status]),
    claim?.rivalFiles.map(({ kind }) => kind).toSorted(),
  ]).toEqual([[[hostile.id, "submitted"]], ["company_card", "passport", "selfie"]]);
  const held = await viewDocumentsAsModerator(ctx, decides(hostile));
  expect([
    held?.rivals.map(({ personId, status }) => [personId, status]),
    held?.rivalFiles.map(({ kind }) => kind),
  ]).toEqual([[[owner.id, "contested"]], ["selfie"]]);
});

test("an approved contest moves the tax id in one batch: the other account stops selling, its payouts wait, and it is notified why", async () => {
  const { ctx, hostile, owner, sent, send, of, statuses, decides, mark, notifications } =
    await contestedTaxId();
  await approveOpened(ctx, decides(hostile));
  await send(owner, true);
  await expect(
    approveOpened(ctx, { ...decides(owner), takesFrom: await mark() }),
  ).rejects.toBeInstanceOf(DocumentsIncomplete);
  await insertDocumentFiles(ctx, owner.id);
  await expect(approveOpened(ctx, decides(owner))).rejects.toMatchObject({
    constructor: ContestConfirmationRequired,
    field: "takesFrom",
  });
  await expect(
    approveOpened(ctx, { ...decides(owner), takesFrom: `${hostile.id}:1:0` }),
  ).rejects.toMatchObject({ constructor: DocumentsChanged, what: "other_side" });
  expect(await statuses()).toEqual(["contested", "approved"]);
  await approveOpened(ctx, { ...decides(owner), takesFrom: await mark() });
  expect(await statuses()).toEqual(["approved", "rejected"]);
  expect([
    canSell(await of(hostile), ctx.now()),
    (await loadPayoutSnapshot(ctx, { creatorId: hostile.id })).documentsApproved,
    (await loadPayoutSnapshot(ctx, { creatorId: owner.id })).documentsApproved,
  ]).toEqual([false, false, true]);
  expect((await of(hostile))?.rejectionCode).toBe("number_of_another");
  expect([await notifications(owner), (await notifications(hostile)).at(-1)]).toEqual([
    [["approved", ""]],
    ["rejected", expect.stringContaining("é de quem mandou os outros")],
  ]);
  expect(await taxIdHolder(ctx, { personId: "nobody", taxId: sent().cpf })).toMatchObject({
    personId: owner.id,
  });
});

test("a rejected contest leaves the other account unchanged and shows the reason", async () => {
  const { ctx, hostile, owner, send, statuses, decides, notifications } = await contestedTaxId();
  await approveOpened(ctx, decides(hostile));
  await send(owner, true);
  await rejectDocuments(ctx, { ...decides(owner), code: "number_of_another" });
  expect([await statuses(), await notifications(owner)]).toEqual([
    ["rejected", "approved"],
    [["rejected", expect.stringContaining("Mande os seus, com o seu número")]],
  ]);
});

test('"belongs to another account" is a valid reason only when that account sent files', async () => {
  const { ctx, hostile, owner, send, statuses, decides } = await contestedTaxId();
  const reason = { ...decides(hostile), code: "number_of_another" } as const;
  const isOffered = async () => (await loadRejectionOptions(ctx, decides(hostile)))?.isCompared;
  await expect(rejectDocuments(ctx, reason)).rejects.toMatchObject({
    constructor: ContestNotCompared,
    field: "code",
  });
  await send(owner, true);
  await expect(rejectDocuments(ctx, reason)).rejects.toBeInstanceOf(ContestNotCompared);
  expect(await isOffered()).toBe(false);
  await insertDocumentFiles(ctx, owner.id);
  expect(await isOffered()).toBe(true);
  await rejectDocuments(ctx, reason);
  expect(await statuses()).toEqual(["contested", "rejected"]);
});

test("an approval asks that the other side's files were opened too", async () => {
  const { ctx, owner, carla, send, statuses, decides, mark } = await contestedTaxId();
  await send(owner, true);
  await insertDocumentFiles(ctx, owner.id);
  await openDocumentFiles(ctx, { moderatorId: carla.id, personId: owner.id });
  const takesFrom = await mark();
  await expect(approveDocuments(ctx, { ...decides(owner), takesFrom })).rejects.toMatchObject({
    constructor: DocumentFilesNotOpened,
    message: expect.stringContaining("do outro lado"),
  });
  expect(await statuses()).toEqual(["contested", "submitted"]);
  await approveOpened(ctx, { ...decides(owner), takesFrom });
  expect(await statuses()).toEqual(["approved", "rejected"]);
});

test("a decision is refused when the other side sends files meanwhile", async () => {
  const { ctx, hostile, owner, send, statuses, decides, mark } = await contestedTaxId();
  await send(owner, true);
  await insertDocumentFiles(ctx, owner.id);
  const takesFrom = await mark();
  await saveDocumentFile(ctx, {
    personId: hostile.id,
    kind: "selfie",
    bytes: new Uint8Array(await pngImage(64, 40)),
  });
  await expect(approveOpened(ctx, { ...decides(owner), takesFrom })).rejects.toBeInstanceOf(
    DocumentsChanged,
  );
  expect(await statuses()).toEqual(["contested", "submitted"]);
});

test("with many contestants, the current holder is listed first and the tax id moves from them", async () => {
  const { ctx, hostile, owner, send, statuses, decides, mark } = await contestedTaxId();
  // The holder sends documents after every contestant: an expiring document is replaced on its last
  // day.
  await send(owner, true);
  await insertDocumentFiles(ctx, owner.id);
  for (let count = 0; count < RIVALS_MAX; count += 1)
    await send(await createPerson(ctx, `Outra ${count}`), true);
  await ctx.db
    .update(documents)
    .set({ submittedAt: ctx.now() + 1 })
    .where(eq(documents.personId, hostile.id));
  const seen = await viewDocumentsAsModerator(ctx, decides(owner));
  expect([seen?.rivals.length, seen?.rivals[0]?.personId]).toEqual([RIVALS_MAX, hostile.id]);
  expect(
    await ctx.db.select().from(documentViews).where(eq(documentViews.personId, hostile.id)),
    "the view log names the viewer",
  ).toHaveLength(1);
  await approveOpened(ctx, { ...decides(owner), takesFrom: await mark() });
  expect(await statuses()).toEqual(["approved", "rejected"]);
});

test("the database refuses any other status of documents", async () => {
  const { ctx, hostile } = await contestedTaxId();
  await expect(
    ctx.db
      .update(documents)
      .set({ status: "selling" as never })
      .where(eq(documents.personId, hostile.id)),
  ).rejects.toMatchObject({
    cause: expect.objectContaining({ message: expect.stringContaining("unknown_state") }),
  });
});
