import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { rejectDocuments } from "#app/domain/documents/commands.server.ts";
import { advanceDocuments } from "#app/domain/documents/expiry/commands.server.ts";
import { eraseDocumentsStatements } from "#app/domain/documents/erasure/commands.server.ts";
import { viewDocumentsAsModerator } from "#app/domain/documents/files/commands/views.server.ts";
import { ContestConfirmationRequired, TaxIdInUse } from "#app/domain/documents/errors.ts";
import { hasAllFiles } from "#app/domain/documents/contests/queries.server.ts";
import { canSell } from "#app/domain/documents/rules.ts";
import { missingFiles } from "#app/domain/documents/files/rules.ts";
import type { RejectionCode } from "#app/domain/documents/reasons/rules.ts";
import type { FileKind } from "#app/domain/documents/schema/file-kinds.ts";
import { commit } from "#app/db/client.server.ts";
import { DAY_MS, isoDay } from "#app/domain/time.ts";
import { documentFiles, documents } from "#drizzle/schema/documents.ts";
import { contestedTaxId } from "#tests/support/contests.ts";
import { insertDocumentFiles, createPerson, approveOpened } from "#tests/support/people.ts";

test("when the tax id is free, the first contestant with every file can sell as if they had sent it that day", async () => {
  const { ctx, advance, hostile, owner, send, of, statuses, dueOf, decides } =
    await contestedTaxId();
  const [third, stranger] = [
    await createPerson(ctx, "Terceira"),
    await createPerson(ctx, "Sem fotos"),
  ];
  await send(stranger, true);
  await send(owner, true);
  await insertDocumentFiles(ctx, owner.id);
  await advance(1_000);
  await send(third, true);
  await insertDocumentFiles(ctx, third.id);
  const due = () => dueOf([owner, third, stranger]);
  await advanceDocuments(ctx, { personId: owner.id });
  expect([await due(), await statuses()]).toEqual([[], ["contested", "submitted"]]);
  await advance(20 * DAY_MS);
  await rejectDocuments(ctx, { ...decides(hostile), code: "number_differs" });
  expect(await due()).toEqual([owner.id, third.id]);
  for (const personId of await due()) await advanceDocuments(ctx, { personId });
  expect([
    await statuses(),
    (await of(third))?.status,
    canSell(await of(owner), ctx.now()),
  ]).toEqual([["submitted", "rejected"], "contested", true]);
  await commit(ctx.db, await eraseDocumentsStatements(ctx, { personId: owner.id }));
  expect(await due()).toEqual([third.id]);
  await advanceDocuments(ctx, { personId: stranger.id });
  expect((await of(stranger))?.status, "text without files takes no tax id").toBe("contested");
});

test("an account asked for a new photo keeps the tax id for seven days against others, and for good once it sends it", async () => {
  const { ctx, advance, hostile, owner, send, of, statuses, dueOf, decides } =
    await contestedTaxId();
  await send(owner, true);
  await insertDocumentFiles(ctx, owner.id);
  await rejectDocuments(ctx, { ...decides(hostile), code: "unreadable" });
  expect(await dueOf([owner])).toEqual([]);
  await advanceDocuments(ctx, { personId: owner.id });
  const late = await createPerson(ctx, "Quem vem depois");
  await expect(send(late)).rejects.toMatchObject({ constructor: TaxIdInUse, field: "contests" });
  expect([
    await statuses(),
    (await viewDocumentsAsModerator(ctx, decides(owner)))?.rivals.map(({ status }) => status),
  ]).toEqual([["contested", "rejected"], ["rejected"]]);
  await send(hostile);
  expect([await statuses(), (await of(hostile))?.numberUntil]).toEqual([
    ["contested", "submitted"],
    null,
  ]);

  await rejectDocuments(ctx, { ...decides(hostile), code: "selfie" });
  await advance(7 * DAY_MS - 60_000);
  expect(await dueOf([owner])).toEqual([]);
  await advance(60_000);
  expect(await dueOf([owner])).toEqual([owner.id]);
  await advanceDocuments(ctx, { personId: owner.id });
  expect(await statuses()).toEqual(["submitted", "rejected"]);
});

test("an account that only contested a tax id reserves none of it against its holder", async () => {
  const { ctx, hostile, owner, send, statuses, decides } = await contestedTaxId();
  await send(owner, true);
  await rejectDocuments(ctx, { ...decides(owner), code: "unreadable" });
  await rejectDocuments(ctx, { ...decides(hostile), code: "number_differs" });
  await send(hostile);
  expect(await statuses()).toEqual(["rejected", "submitted"]);
});

test("a tax id reserved for a new photo moves only after both sides are confirmed", async () => {
  const { ctx, hostile, owner, send, of, statuses, decides, mark } = await contestedTaxId();
  await send(owner, true);
  await insertDocumentFiles(ctx, owner.id);
  await rejectDocuments(ctx, { ...decides(hostile), code: "unreadable" });
  await expect(approveOpened(ctx, decides(owner))).rejects.toBeInstanceOf(
    ContestConfirmationRequired,
  );
  await approveOpened(ctx, { ...decides(owner), takesFrom: await mark() });
  expect([
    await statuses(),
    (await of(hostile))?.rejectionCode,
    (await of(hostile))?.numberUntil,
  ]).toEqual([["approved", "rejected"], "number_of_another", null]);
});

test("an expired document leaves the tax id with its holder", async () => {
  const { ctx, advance, hostile, owner, send, statuses, dueOf, decides } = await contestedTaxId();
  await approveOpened(ctx, { ...decides(hostile), expiresOn: isoDay(ctx.now()) });
  await send(owner, true);
  await insertDocumentFiles(ctx, owner.id);
  await advance(30 * DAY_MS);
  await advanceDocuments(ctx, { personId: hostile.id });
  expect([await statuses(), await dueOf([owner])]).toEqual([["contested", "submitted"], []]);
});

test("a tax id without files moves after 14 days to a contestant with every file, in one batch, with a notification", async () => {
  const { ctx, advance, owner, send, anotherNumber, of, dueOf, notifications } =
    await contestedTaxId();
  anotherNumber();
  const stranger = await createPerson(ctx, "Só palavras");
  await send(stranger);
  await send(owner, true);
  await insertDocumentFiles(ctx, owner.id);
  await advance(14 * DAY_MS - 60_000);
  expect(await dueOf([owner])).toEqual([]);
  await advance(60_000);
  expect(await dueOf([owner])).toEqual([owner.id]);
  await advanceDocuments(ctx, { personId: owner.id });
  expect([
    (await of(owner))?.status,
    (await of(stranger))?.status,
    (await notifications(stranger)).at(-1),
  ]).toEqual([
    "submitted",
    "rejected",
    ["rejected", expect.stringContaining("não chegaram em 14 dias")],
  ]);
});

test.each<[FileKind[], boolean]>([
  [[], false],
  [["id_front", "selfie"], false],
  [["id_front", "id_back"], false],
  [["selfie"], false],
  [["id_front", "id_back", "selfie"], true],
  [["id_pdf", "selfie"], true],
  [["passport", "id_front", "selfie"], true],
  [["company_card", "selfie"], false],
])("the database and the rule agree on complete files: %j", async (kinds, isWhole) => {
  const { ctx, owner, send } = await contestedTaxId();
  await send(owner, true);
  for (const kind of kinds)
    await ctx.db.insert(documentFiles).values({
      id: ctx.newId(),
      personId: owner.id,
      kind,
      contentType: "image/webp",
      sizeBytes: 1,
      state: "kept",
      createdAt: 1,
    });
  const rows = await ctx.db
    .select({ personId: documents.personId })
    .from(documents)
    .where(and(eq(documents.personId, owner.id), hasAllFiles));
  expect([rows.length === 1, missingFiles(kinds, false).length === 0]).toEqual([isWhole, isWhole]);
});

test.each<[RejectionCode, boolean]>([
  ["name_differs", true],
  ["birth_date_differs", true],
  ["number_not_regular", true],
  ["other", true],
  ["number_differs", false],
])(
  "rejected as %s, the tax id is reserved for its holder for seven days: %s",
  async (code, keeps) => {
    const { ctx, hostile, owner, send, of, dueOf, decides } = await contestedTaxId();
    await send(owner, true);
    await insertDocumentFiles(ctx, owner.id);
    await rejectDocuments(ctx, { ...decides(hostile), code, note: "Veja bem." });
    const back = await of(hostile);
    expect([back?.numberUntil, await dueOf([owner])]).toEqual(
      keeps ? [(back?.decidedAt ?? 0) + 7 * DAY_MS, []] : [null, [owner.id]],
    );
  },
);
