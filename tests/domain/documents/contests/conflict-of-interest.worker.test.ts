import { and, eq, inArray, like } from "drizzle-orm";
import { expect, test } from "vitest";
import { approveDocuments, rejectDocuments } from "#app/domain/documents/commands.server.ts";
import { notifyLateContests } from "#app/domain/documents/expiry/commands.server.ts";
import {
  openDocumentFile,
  loadRejectionOptions,
  viewDocumentsAsModerator,
} from "#app/domain/documents/files/commands/views.server.ts";
import {
  DocumentsConflictOfInterest,
  TaxIdConflictOfInterest,
} from "#app/domain/documents/errors.ts";
import { loadDocumentStatus, pendingDocuments } from "#app/domain/documents/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { documentViews } from "#drizzle/schema/documents.ts";
import { people } from "#drizzle/schema/identity.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { contestedTaxId } from "#tests/support/contests.ts";
import { insertDocumentFiles, createPerson, approveOpened } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

test("no moderator decides on a tax id that they hold or contest", async () => {
  const { ctx, hostile, owner, send, mark } = await contestedTaxId();
  await send(owner, true);
  await insertDocumentFiles(ctx, owner.id);
  for (const [side, other] of [
    [owner, hostile],
    [hostile, owner],
  ] as const) {
    await ctx.db.update(people).set({ isModerator: true }).where(eq(people.id, side.id));
    const decider = { moderatorId: side.id, personId: other.id };
    await expect(
      rejectDocuments(ctx, { ...decider, code: "number_of_another" }),
    ).rejects.toBeInstanceOf(DocumentsConflictOfInterest);
    await expect(
      approveOpened(ctx, { ...decider, takesFrom: await mark() }),
    ).rejects.toBeInstanceOf(DocumentsConflictOfInterest);
  }
});

test("a party to a contest sees nothing of the other and leaves no view log; other views are logged for each side", async () => {
  const { ctx, hostile, owner, carla, send, decides } = await contestedTaxId();
  await send(owner, true);
  const lines = async () =>
    (
      await ctx.db
        .select({ personId: documentViews.personId, viewerId: documentViews.viewerId })
        .from(documentViews)
        .where(inArray(documentViews.personId, [owner.id, hostile.id]))
    )
      .map(({ personId, viewerId }) => `${personId} ${viewerId}`)
      .toSorted();
  for (const [side, other] of [
    [owner, hostile],
    [hostile, owner],
  ] as const) {
    const looker = { moderatorId: side.id, personId: other.id };
    await expect(viewDocumentsAsModerator(ctx, looker)).rejects.toBeInstanceOf(
      TaxIdConflictOfInterest,
    );
    await expect(loadRejectionOptions(ctx, looker)).rejects.toBeInstanceOf(TaxIdConflictOfInterest);
    expect(
      await viewDocumentsAsModerator(ctx, { moderatorId: side.id, personId: side.id }),
    ).toMatchObject({
      rivals: [],
      rivalFiles: [],
    });
  }
  expect(await lines()).toEqual([]);
  await viewDocumentsAsModerator(ctx, decides(owner));
  await viewDocumentsAsModerator(ctx, decides(hostile));
  expect(await lines()).toEqual(
    [`${hostile.id} ${carla.id}`, `${owner.id} ${carla.id}`].toSorted(),
  );
});

test("a contest open for 14 days is notified to staff once, without its parties; one without files never", async () => {
  const { ctx, advance, hostile, owner, carla, send, decides } = await contestedTaxId();
  const lost = await createPerson(ctx, "Quem só escreveu o número");
  const ids = [carla.id, hostile.id, owner.id, lost.id];
  const heard = async () => {
    await notifyLateContests(ctx, { moderatorIds: async () => ids, limit: 100 });
    return (
      await ctx.db
        .select()
        .from(outbox)
        .where(
          and(
            eq(outbox.type, "documents.contest_late"),
            like(outbox.id, `documents:${owner.id}:%`),
          ),
        )
    ).map(({ payload }) => payload["moderatorIds"]);
  };
  await send(lost, true);
  await rejectDocuments(ctx, { ...decides(lost), code: "number_differs" });
  await send(owner, true);
  await advance(14 * DAY_MS);
  expect(await heard()).toEqual([]);
  await insertDocumentFiles(ctx, owner.id);
  expect(await heard()).toEqual([[carla.id]]);
  expect(await heard()).toHaveLength(1);
});

test("a moderator who lost a tax id cannot see or decide on the other side while their documents name it", async () => {
  const { ctx, hostile, owner, send, anotherNumber, decides } = await contestedTaxId();
  await ctx.db.update(people).set({ isModerator: true }).where(eq(people.id, hostile.id));
  await rejectDocuments(ctx, { ...decides(hostile), code: "number_differs" });
  await send(owner);
  await insertDocumentFiles(ctx, owner.id);
  const looker = { moderatorId: hostile.id, personId: owner.id };
  await expect(viewDocumentsAsModerator(ctx, looker)).rejects.toBeInstanceOf(
    TaxIdConflictOfInterest,
  );
  await expect(loadRejectionOptions(ctx, looker)).rejects.toBeInstanceOf(TaxIdConflictOfInterest);
  await expect(approveDocuments(ctx, looker)).rejects.toBeInstanceOf(DocumentsConflictOfInterest);
  await expect(rejectDocuments(ctx, { ...looker, code: "unreadable" })).rejects.toBeInstanceOf(
    DocumentsConflictOfInterest,
  );
  expect(
    await ctx.db.select().from(documentViews).where(eq(documentViews.personId, owner.id)),
  ).toEqual([]);
  anotherNumber();
  await send(hostile);
  await approveOpened(ctx, looker);
});

test("the queue and its files hide the other side of a tax id from its parties, and show both to others", async () => {
  const { ctx, hostile, owner, carla, send, decides } = await contestedTaxId();
  await send(owner, true);
  await insertDocumentFiles(ctx, owner.id);
  for (const side of [owner, hostile])
    await ctx.db.update(people).set({ isModerator: true }).where(eq(people.id, side.id));
  const queueOf = async ({ id }: TestPerson) =>
    (await pendingDocuments(ctx, { moderatorId: id, cursor: null, limit: 100 })).items
      .map(({ personId }) => personId)
      .filter((personId) => [owner.id, hostile.id].includes(personId));
  expect([await queueOf(carla), await queueOf(owner), await queueOf(hostile)]).toEqual([
    [hostile.id, owner.id],
    [owner.id],
    [hostile.id],
  ]);
  const open = async (moderatorId: string, personId: string) =>
    await openDocumentFile(ctx, {
      moderatorId,
      personId,
      fileId: (await loadDocumentStatus(ctx, { personId })).files[0]?.id ?? "",
    });
  await expect(open(owner.id, hostile.id)).rejects.toBeInstanceOf(TaxIdConflictOfInterest);
  await expect(open(hostile.id, owner.id)).rejects.toBeInstanceOf(TaxIdConflictOfInterest);
  expect(
    await ctx.db
      .select()
      .from(documentViews)
      .where(inArray(documentViews.personId, [owner.id, hostile.id])),
  ).toEqual([]);
  await open(carla.id, owner.id);
  expect(
    (await ctx.db.select().from(documentViews).where(eq(documentViews.personId, owner.id))).map(
      ({ viewerId }) => viewerId,
    ),
  ).toEqual([carla.id]);

  // The account that lost the tax id is still a party.
  await rejectDocuments(ctx, { ...decides(hostile), code: "number_differs" });
  expect(await queueOf(hostile)).toEqual([]);
  await expect(open(hostile.id, owner.id)).rejects.toBeInstanceOf(TaxIdConflictOfInterest);
});
