import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { rejectDocuments } from "#app/domain/documents/commands.server.ts";
import { withdrawContest } from "#app/domain/documents/contests/commands.server.ts";
import { eraseDocumentsStatements } from "#app/domain/documents/erasure/commands.server.ts";
import { DocumentsNotEditable } from "#app/domain/documents/errors.ts";
import { loadDocumentStatus, pendingDocuments } from "#app/domain/documents/queries.server.ts";
import { documentsStatus } from "#app/domain/documents/rules.ts";
import { CONTEST_WITHDRAWN_CODE } from "#app/domain/documents/rules.ts";
import { notificationsFor } from "#tests/support/notifications.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";
import { sellingProblem } from "#app/domain/plans/rules.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { documents } from "#drizzle/schema/documents.ts";
import * as page from "#app/routes/settings/documents/document-other-number.tsx";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import { contestedTaxId } from "#tests/support/contests.ts";
import { insertDocumentFiles, createPerson, approveOpened } from "#tests/support/people.ts";

test("a contest with a mistyped tax id can be withdrawn once: it leaves the queue, and the right one is sent with the same photos", async () => {
  const {
    ctx,
    hostile,
    owner,
    carla,
    send,
    sent,
    anotherNumber,
    of,
    statuses,
    notificationsAbout,
  } = await contestedTaxId();
  const queued = async () =>
    (await pendingDocuments(ctx, { moderatorId: carla.id, cursor: null, limit: 100 })).items
      .map(({ personId }) => personId)
      .filter((id) => [owner.id, hostile.id].includes(id));
  await send(owner, true);
  await insertDocumentFiles(ctx, owner.id);
  const [before] = await ctx.db.select().from(documents).where(eq(documents.personId, hostile.id));
  expect(await queued()).toEqual([hostile.id, owner.id]);

  await withdrawContest(ctx, { personId: owner.id });
  await withdrawContest(ctx, { personId: owner.id });
  expect([
    await statuses(),
    await queued(),
    await notificationsAbout(owner, "documents.decided"),
  ]).toEqual([["rejected", "submitted"], [hostile.id], []]);
  expect(await of(owner)).toMatchObject({
    rejectionCode: CONTEST_WITHDRAWN_CODE,
    rejectionReason: "Você desistiu do CPF que tinha mandado.",
    numberUntil: null,
  });
  expect(
    [documentsStatus(await of(owner)), sellingProblem(await of(owner), ctx.now())],
    "no rejection without a moderator",
  ).toEqual(["missing", "documents_missing"]);
  expect(await ctx.db.select().from(documents).where(eq(documents.personId, hostile.id))).toEqual([
    before,
  ]);

  const mistyped = sent().cpf;
  anotherNumber();
  await send(owner);
  const { documents: now, files } = await loadDocumentStatus(ctx, { personId: owner.id });
  expect([now?.status, now?.cpf === mistyped, now?.rejectionCode, files.length > 0]).toEqual([
    "submitted",
    false,
    null,
    true,
  ]);
});

test("only a contest can be withdrawn, and only by its sender on their own page", async () => {
  const { ctx, hostile, owner, decides, mark, send, statuses } = await contestedTaxId();
  const routes = callRoutesAs([{ path: "settings/check-documents/other-number", module: page }]);
  const path = "/settings/check-documents/other-number";
  await expect(withdrawContest(ctx, { personId: hostile.id })).rejects.toBeInstanceOf(
    DocumentsNotEditable,
  );
  await expect(withdrawContest(ctx, { personId: owner.id })).rejects.toBeInstanceOf(
    DocumentsNotEditable,
  );
  expect((await routes.get({ person: hostile }, path)).headers.get("Location")).toBe(
    "/settings/check-documents",
  );
  await send(owner, true);
  expect(await (await routes.get({ person: owner }, path)).json()).toMatchObject({
    word: "CPF",
    number: expect.stringMatching(/^CPF \*\*\*/),
  });
  expect(await responseOutcome(routes.post({ person: owner }, path, {}))).toBe("302");
  expect(await statuses()).toEqual(["rejected", "submitted"]);

  await send(owner, true);
  await insertDocumentFiles(ctx, owner.id);
  await approveOpened(ctx, { ...decides(owner), takesFrom: await mark() });
  await expect(withdrawContest(ctx, { personId: owner.id })).rejects.toBeInstanceOf(
    DocumentsNotEditable,
  );
  expect(await statuses()).toEqual(["approved", "rejected"]);
});

test("the holder is notified of a contest and of its end, once a day at most, and their page shows it while it is open", async () => {
  const { ctx, advance, hostile, owner, decides, send, notificationsAbout } =
    await contestedTaxId();
  const third = await createPerson(ctx, "Terceira");
  const heard = async () => [
    (await notificationsAbout(hostile, "documents.contest_comes")).length,
    (await notificationsAbout(hostile, "documents.contest_over")).length,
  ];
  const isContested = async () =>
    (await loadDocumentStatus(ctx, { personId: hostile.id })).isContested;
  expect([await heard(), await isContested()]).toEqual([[0, 0], false]);
  await send(owner, true);
  await send(third, true);
  expect([
    await heard(),
    await isContested(),
    (await loadDocumentStatus(ctx, { personId: owner.id })).isContested,
  ]).toEqual([[1, 0], true, false]);
  const [message] = await notificationsAbout(hostile, "documents.contest_comes");
  expect(notificationsFor(message as OutboxMessage)).toMatchObject([
    {
      personId: hostile.id,
      path: "/settings/check-documents",
      body: expect.stringContaining("Nada muda na sua até a moderação"),
      mail: { subject: "Outra conta diz que o seu CPF é dela" },
    },
  ]);

  await withdrawContest(ctx, { personId: owner.id });
  expect([await heard(), await isContested()], "another still does").toEqual([[1, 0], true]);
  await rejectDocuments(ctx, { ...decides(third), code: "unreadable" });
  expect([await heard(), await isContested()]).toEqual([[1, 1], false]);
  const [over] = await notificationsAbout(hostile, "documents.contest_over");
  expect(notificationsFor(over as OutboxMessage)).toMatchObject([
    { personId: hostile.id, body: expect.stringContaining("você não precisa fazer nada") },
  ]);

  await advance(DAY_MS);
  await send(owner, true);
  expect(await heard()).toEqual([2, 1]);

  // The contestant deletes their account.
  await commit(ctx.db, await eraseDocumentsStatements(ctx, { personId: owner.id }));
  expect([await heard(), await isContested()]).toEqual([[2, 2], false]);
});
