import { and, eq, inArray, like } from "drizzle-orm";
import { expect, test } from "vitest";
import { approveDocuments, rejectDocuments } from "#app/domain/documents/commands.server.ts";
import { tellOfLateContests } from "#app/domain/documents/commands/calendar.server.ts";
import {
  openDocumentFile,
  rejectionDesk,
  viewDocuments,
} from "#app/domain/documents/commands/views.server.ts";
import { OwnDocuments, OwnNumber } from "#app/domain/documents/errors.ts";
import { papersStanding, pendingDocuments } from "#app/domain/documents/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { documentViews } from "#drizzle/schema/documents.ts";
import { people } from "#drizzle/schema/identity.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { contestedNumber } from "#tests/support/contests.ts";
import { papersOf, person } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

test("nobody decides of a number that they have, or contest, themselves", async () => {
  const { ctx, hostile, owner, send, mark } = await contestedNumber();
  await send(owner, true);
  await papersOf(ctx, owner.id);
  for (const [side, other] of [
    [owner, hostile],
    [hostile, owner],
  ] as const) {
    await ctx.db.update(people).set({ isModerator: true }).where(eq(people.id, side.id));
    const decider = { moderatorId: side.id, personId: other.id };
    await expect(
      rejectDocuments(ctx, { ...decider, code: "number_of_another" }),
    ).rejects.toBeInstanceOf(OwnDocuments);
    await expect(
      approveDocuments(ctx, { ...decider, takesFrom: await mark() }),
    ).rejects.toBeInstanceOf(OwnDocuments);
  }
});

test("who is a side of a number sees nothing of the other, and leaves no line; of whoever is shown a line stays with each", async () => {
  const { ctx, hostile, owner, carla, send, decides } = await contestedNumber();
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
    await expect(viewDocuments(ctx, looker)).rejects.toBeInstanceOf(OwnNumber);
    await expect(rejectionDesk(ctx, looker)).rejects.toBeInstanceOf(OwnNumber);
    expect(await viewDocuments(ctx, { moderatorId: side.id, personId: side.id })).toMatchObject({
      rivals: [],
      rivalFiles: [],
    });
  }
  expect(await lines()).toEqual([]);
  await viewDocuments(ctx, decides(owner));
  await viewDocuments(ctx, decides(hostile));
  expect(await lines()).toEqual(
    [`${hostile.id} ${carla.id}`, `${owner.id} ${carla.id}`].toSorted(),
  );
});

test("of a contest that nobody decided in 14 days the staff hears once, without who is a side of it; of one without files never", async () => {
  const { ctx, advance, hostile, owner, carla, send, decides } = await contestedNumber();
  const lost = await person(ctx, "Quem só escreveu o número");
  const ids = [carla.id, hostile.id, owner.id, lost.id];
  const heard = async () => {
    await tellOfLateContests(ctx, { moderatorIds: async () => ids, limit: 100 });
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
  await papersOf(ctx, owner.id);
  expect(await heard()).toEqual([[carla.id]]);
  expect(await heard()).toHaveLength(1);
});

test("who moderates and lost a number decides and sees nothing of the other side, as long as their documents name it", async () => {
  const { ctx, hostile, owner, send, anotherNumber, decides } = await contestedNumber();
  await ctx.db.update(people).set({ isModerator: true }).where(eq(people.id, hostile.id));
  await rejectDocuments(ctx, { ...decides(hostile), code: "number_differs" });
  await send(owner);
  await papersOf(ctx, owner.id);
  const looker = { moderatorId: hostile.id, personId: owner.id };
  await expect(viewDocuments(ctx, looker)).rejects.toBeInstanceOf(OwnNumber);
  await expect(rejectionDesk(ctx, looker)).rejects.toBeInstanceOf(OwnNumber);
  await expect(approveDocuments(ctx, looker)).rejects.toBeInstanceOf(OwnDocuments);
  await expect(rejectDocuments(ctx, { ...looker, code: "unreadable" })).rejects.toBeInstanceOf(
    OwnDocuments,
  );
  expect(
    await ctx.db.select().from(documentViews).where(eq(documentViews.personId, owner.id)),
  ).toEqual([]);
  anotherNumber();
  await send(hostile);
  await approveDocuments(ctx, looker);
});

test("the queue shows nobody the other side of their own number, nor do its files open to them; everybody else sees both", async () => {
  const { ctx, hostile, owner, carla, send, decides } = await contestedNumber();
  await send(owner, true);
  await papersOf(ctx, owner.id);
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
      fileId: (await papersStanding(ctx, { personId })).files[0]?.id ?? "",
    });
  await expect(open(owner.id, hostile.id)).rejects.toBeInstanceOf(OwnNumber);
  await expect(open(hostile.id, owner.id)).rejects.toBeInstanceOf(OwnNumber);
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

  // Who lost the number is a side of it still.
  await rejectDocuments(ctx, { ...decides(hostile), code: "number_differs" });
  expect(await queueOf(hostile)).toEqual([]);
  await expect(open(hostile.id, owner.id)).rejects.toBeInstanceOf(OwnNumber);
});
