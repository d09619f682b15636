import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { approveDocuments, rejectDocuments } from "#app/domain/documents/commands.server.ts";
import { advanceDocuments } from "#app/domain/documents/expiry/commands.server.ts";
import { saveDocumentFile } from "#app/domain/documents/files/commands/files.server.ts";
import {
  DocumentsNotEditable,
  DocumentsIncomplete,
  DocumentsNotPending,
  DocumentModeratorRequired,
} from "#app/domain/documents/errors.ts";
import {
  dueDocuments,
  documentsOfPerson,
  pendingDocuments,
} from "#app/domain/documents/queries.server.ts";
import { REJECTION_REASONS } from "#app/domain/documents/reasons/rules.ts";
import { submitSellerDetails } from "#app/domain/payouts/destinations/commands.server.ts";
import { loadPayoutSnapshot } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import { addDays, DAY_MS, isoDay } from "#app/domain/time.ts";
import { documentFiles } from "#drizzle/schema/documents.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { generateCpf } from "@brazilian-utils/brazilian-utils/generate-cpf";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pngImage } from "#tests/support/images.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { createModerator, insertDocumentFiles, createPerson } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: TestPerson;
let carla: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createPerson(world.ctx, "Ana");
  carla = await createModerator(world.ctx);
  await submitSellerDetails(world.ctx, {
    personId: ana.id,
    fullName: "Ana Maria Lira",
    cpf: generateCpf(),
    birthDate: "1990-01-31",
    pixKey: { kind: "email", key: ana.email },
  });
});

const photo = async () => new Uint8Array(await pngImage(64, 40));
const send = async (
  kind: "id_front" | "id_back" | "selfie" | "passport",
  ctx: Context = world.ctx,
) => saveDocumentFile(ctx, { personId: ana.id, kind, bytes: await photo() });
const files = () =>
  world.ctx.db
    .select()
    .from(documentFiles)
    .where(eq(documentFiles.personId, ana.id))
    .orderBy(documentFiles.createdAt);
const decider = () => ({ moderatorId: carla.id, personId: ana.id });
const notifications = async (type: string) =>
  (
    await world.ctx.db
      .select()
      .from(outbox)
      .where(eq(outbox.type, type as never))
  ).filter(({ id }) => id.includes(ana.id));

describe("the scheduler", () => {
  const due = async () =>
    (await dueDocuments(world.ctx, { now: world.ctx.now(), limit: 100 })).filter(
      (id) => id === ana.id,
    );

  test("notifies once of missing files, four days before the fourteen days end", async () => {
    expect(await due()).toEqual([]);
    await world.advance(10 * DAY_MS);
    expect(await due()).toEqual([ana.id]);
    await Promise.all([
      advanceDocuments(world.ctx, { personId: ana.id }),
      advanceDocuments(world.ctx, { personId: ana.id }),
    ]);
    await advanceDocuments(world.ctx, { personId: ana.id });
    expect(
      (await notifications("documents.deadline")).map(({ payload }) => payload["isMissing"]),
    ).toEqual([true]);
    expect(await due()).toEqual([]);
  });

  /** Approved until `expiresOn`, complete, and notified a month before the expiry. */
  async function ending(): Promise<string> {
    await send("passport");
    await send("selfie");
    const expiresOn = isoDay(addDays(world.ctx.now(), 60));
    await approveDocuments(world.ctx, { ...decider(), expiresOn });
    await world.advance(31 * DAY_MS);
    await advanceDocuments(world.ctx, { personId: ana.id });
    return expiresOn;
  }
  const queued = async () =>
    (
      await pendingDocuments(world.ctx, { moderatorId: carla.id, cursor: null, limit: 100 })
    ).items.find(({ personId }) => personId === ana.id);
  const statusNow = async () => (await documentsOfPerson(world.ctx, { personId: ana.id }))?.status;

  test("a new document sent in time is reviewed before the old one expires, and the approval continues", async () => {
    const before = await ending();
    expect(await queued()).toBeUndefined();
    await send("passport");
    expect(await queued()).toMatchObject({
      status: "approved",
      expiresOn: before,
      waitsSince: (await documentsOfPerson(world.ctx, { personId: ana.id }))?.filesAt,
    });
    // No moderator reviewed it in time. The delay is ours.
    await world.advance(31 * DAY_MS);
    expect(await due()).toEqual([]);
    await advanceDocuments(world.ctx, { personId: ana.id });
    expect(await statusNow()).toBe("approved");
    const expiresOn = isoDay(addDays(world.ctx.now(), 900));
    const both = await Promise.allSettled(
      [1, 2].map(() => approveDocuments(world.ctx, { ...decider(), expiresOn })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect([
      await statusNow(),
      (await documentsOfPerson(world.ctx, { personId: ana.id }))?.expiresOn,
      await queued(),
    ]).toEqual(["approved", expiresOn, undefined]);
  });

  test("a new document approved while the scheduler expires the old one stays approved", async () => {
    await ending();
    await send("passport");
    await world.advance(45 * DAY_MS);
    const expiresOn = isoDay(addDays(world.ctx.now(), 900));
    const racing = interleaveBeforeWrite(
      world.ctx,
      () => approveDocuments(world.ctx, { ...decider(), expiresOn }),
      /^update "documents" set "status"/,
    );
    await advanceDocuments(racing, { personId: ana.id });
    expect([await statusNow(), (await notifications("documents.ended")).length]).toEqual([
      "approved",
      0,
    ]);
  });

  test("a replacement not reviewed for fourteen more days returns to review, and the seller reads that the delay is ours", async () => {
    await ending();
    await send("passport");
    await world.advance(45 * DAY_MS);
    expect(await due()).toEqual([ana.id]);
    await advanceDocuments(world.ctx, { personId: ana.id });
    expect([
      await statusNow(),
      (await notifications("documents.ended")).map(({ payload }) => payload["isSent"]),
    ]).toEqual(["submitted", [true]]);
  });

  test("a rejected replacement keeps the approval, and another can be sent", async () => {
    const until = await ending();
    await send("passport");
    await rejectDocuments(world.ctx, { ...decider(), code: "unreadable" });
    const sentences = REJECTION_REASONS.unreadable;
    expect(await documentsOfPerson(world.ctx, { personId: ana.id })).toMatchObject({
      status: "approved",
      expiresOn: until,
      rejectionReason: `${sentences.says} ${sentences.todo}`,
    });
    expect([(await files()).map(({ kind }) => kind), await queued()]).toEqual([
      ["selfie"],
      undefined,
    ]);
    expect(
      (await notifications("documents.decided")).map(({ payload }) => payload["approval"]),
    ).toContainEqual({ until });
    await send("id_front");
    expect((await queued())?.status).toBe("approved");
    await expect(approveDocuments(world.ctx, decider())).rejects.toBeInstanceOf(
      DocumentsIncomplete,
    );
  });

  test("false documents lose their approval with a reason, once, by another moderator", async () => {
    await insertDocumentFiles(world.ctx, ana.id);
    await approveDocuments(world.ctx, decider());
    await expect(approveDocuments(world.ctx, decider())).rejects.toBeInstanceOf(
      DocumentsNotPending,
    );
    await expect(
      rejectDocuments(world.ctx, {
        moderatorId: ana.id,
        personId: ana.id,
        code: "other",
        note: "Montagem.",
      }),
    ).rejects.toBeInstanceOf(DocumentModeratorRequired);
    const both = await Promise.allSettled(
      [1, 2].map(() =>
        rejectDocuments(world.ctx, { ...decider(), code: "other", note: "A foto é uma montagem." }),
      ),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await documentsOfPerson(world.ctx, { personId: ana.id })).toMatchObject({
      status: "rejected",
      rejectionCode: "other",
      expiresOn: null,
    });
    expect(
      (await notifications("documents.decided"))
        .map(({ payload }) => payload["approval"])
        .filter(Boolean),
    ).toEqual(["taken_back"]);
    expect((await loadPayoutSnapshot(world.ctx, { creatorId: ana.id })).documentsApproved).toBe(
      false,
    );
  });

  test("notifies of an expiring document, accepts a new one, and requests a new decision", async () => {
    await send("passport");
    await send("selfie");
    const expiresOn = isoDay(addDays(world.ctx.now(), 60));
    await approveDocuments(world.ctx, { ...decider(), expiresOn });
    await expect(send("passport")).rejects.toBeInstanceOf(DocumentsNotEditable);
    await world.advance(31 * DAY_MS);
    expect(await due()).toEqual([ana.id]);
    await advanceDocuments(world.ctx, { personId: ana.id });
    expect(await notifications("documents.ending")).toHaveLength(1);
    expect(await due()).toEqual([]);
    await send("id_front");

    await world.advance(44 * DAY_MS);
    await advanceDocuments(world.ctx, { personId: ana.id });
    await advanceDocuments(world.ctx, { personId: ana.id });
    expect(
      (await notifications("documents.ended")).map(({ payload }) => payload["isSent"]),
    ).toEqual([false]);
    const now = await documentsOfPerson(world.ctx, { personId: ana.id });
    expect(now).toMatchObject({ status: "submitted", expiresOn, decidedAt: null });
    expect(world.ctx.now() - (now?.submittedAt ?? 0)).toBeLessThan(DAY_MS);
    const saved = await world.ctx.db
      .select({ kind: documentFiles.kind })
      .from(documentFiles)
      .where(and(eq(documentFiles.personId, ana.id), eq(documentFiles.state, "kept")));
    expect(saved.map(({ kind }) => kind).toSorted()).toEqual(["id_front", "selfie"]);
  });
});
