import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit, openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { approveDocuments, rejectDocuments } from "#app/domain/documents/commands.server.ts";
import { advanceDocuments } from "#app/domain/documents/expiry/commands.server.ts";
import {
  eraseDocumentsStatements,
  purgeArchivedDocuments,
} from "#app/domain/documents/erasure/commands.server.ts";
import {
  eraseDocumentFiles,
  saveDocumentFile,
} from "#app/domain/documents/files/commands/files.server.ts";
import { queryRegistry } from "#app/domain/documents/registry/commands.server.ts";
import {
  openDocumentFile,
  viewDocumentsAsModerator,
} from "#app/domain/documents/files/commands/views.server.ts";
import { DocumentFileRefused, TooManyDocumentFiles } from "#app/domain/documents/files/errors.ts";
import {
  DocumentsChanged,
  DocumentsNotEditable,
  DocumentFilesNotOpened,
  DocumentsIncomplete,
  DocumentsNotPending,
  DocumentModeratorRequired,
  DocumentsConflictOfInterest,
  DocumentExpired,
} from "#app/domain/documents/errors.ts";
import {
  dueDocuments,
  documentsOfPerson,
  pendingDocuments,
} from "#app/domain/documents/queries.server.ts";
import {
  documentFileLink,
  documentKey,
  isDocumentLinkValid,
} from "#app/domain/documents/files/queries.server.ts";
import { REJECTION_REASONS } from "#app/domain/documents/reasons/rules.ts";
import { imageHeader } from "#app/domain/media/rules.ts";
import { submitSellerDetails } from "#app/domain/payouts/destinations/commands.server.ts";
import { loadPayoutSnapshot } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import { addDays, DAY_MS, HOUR_MS, isoDay, MINUTE_MS } from "#app/domain/time.ts";
import { documentFiles, documents, documentViews } from "#drizzle/schema/documents.ts";
import { floodCounts } from "#drizzle/schema/rate-limits.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { generateCpf } from "@brazilian-utils/brazilian-utils/generate-cpf";
import * as documentPage from "#app/routes/admin/documents/document.tsx";
import * as rejectionPage from "#app/routes/admin/documents/document-rejection.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { pngImage } from "#tests/support/images.ts";
import { pdf } from "#tests/support/media-files.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import {
  createModerator,
  insertDocumentFiles,
  createPerson,
  approveOpened,
} from "#tests/support/people.ts";
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

describe("document files", () => {
  test("replace the file of their kind, are encoded again, and are deleted with their row", async () => {
    await send("id_front");
    const [first] = await files();
    const stored = await world.ctx.mediaStore.get(documentKey(first ?? { id: "", personId: "" }));
    const bytes = new Uint8Array(await new Response(stored?.body).arrayBuffer());
    expect([stored?.contentType, imageHeader(bytes)?.contentType, first?.sizeBytes]).toEqual([
      "image/webp",
      "image/webp",
      bytes.byteLength,
    ]);
    await send("id_front");
    const [second, ...more] = await files();
    expect([more, second?.state, second?.id === first?.id]).toEqual([[], "kept", false]);
    expect(
      await world.ctx.mediaStore.sizeOf(documentKey(first ?? { id: "", personId: "" })),
    ).toBeNull();
  });

  test("are refused by their bytes, and from members without documents under review", async () => {
    await expect(
      saveDocumentFile(world.ctx, { personId: ana.id, kind: "selfie", bytes: pdf() }),
    ).rejects.toBeInstanceOf(DocumentFileRefused);
    const broken = await photo();
    broken.fill(0, 40);
    await expect(
      saveDocumentFile(world.ctx, { personId: ana.id, kind: "selfie", bytes: broken }),
    ).rejects.toBeInstanceOf(DocumentFileRefused);
    const nobody = await createPerson(world.ctx);
    await expect(
      saveDocumentFile(world.ctx, { personId: nobody.id, kind: "id_pdf", bytes: pdf() }),
    ).rejects.toBeInstanceOf(DocumentsNotEditable);
    expect(await files()).toEqual([]);
  });

  test("are limited to sixty an hour, without those refused by their bytes", async () => {
    await send("selfie");
    await world.ctx.db
      .update(floodCounts)
      .set({ count: 59 })
      .where(eq(floodCounts.key, `document-file:${ana.id}:${HOUR_MS}`));
    await expect(
      saveDocumentFile(world.ctx, { personId: ana.id, kind: "selfie", bytes: pdf() }),
    ).rejects.toBeInstanceOf(DocumentFileRefused);
    await send("selfie");
    const [saved] = await files();
    await expect(send("selfie")).rejects.toMatchObject({
      constructor: TooManyDocumentFiles,
      field: "file",
    });
    expect(await files()).toEqual([saved]);
    await world.advance(HOUR_MS);
    await send("selfie");
  });

  test("that arrive during the decision do not change it", async () => {
    await insertDocumentFiles(world.ctx, ana.id);
    const racing = interleaveBeforeWrite(
      world.ctx,
      () => approveOpened(world.ctx, decider()),
      /^update "documents" set "files_at"/,
    );
    await expect(send("selfie", racing)).rejects.toBeInstanceOf(DocumentsNotEditable);
    expect(
      (await files()).filter(({ state }) => state === "kept").map(({ sizeBytes }) => sizeBytes),
    ).toEqual([1, 1, 1]);
  });

  test("without bytes do not count, and all are erased with the account", async () => {
    const broken = {
      ...world.ctx,
      mediaStore: {
        ...world.ctx.mediaStore,
        put: () => Promise.reject(new Error("the process died")),
      },
    };
    await expect(send("selfie", broken)).rejects.toThrow("died");
    await send("id_front");
    expect(
      (
        await viewDocumentsAsModerator(world.ctx, { moderatorId: carla.id, personId: ana.id })
      )?.files.map(({ kind }) => kind),
    ).toEqual(["id_front"]);
    const saved = await files();
    expect(await eraseDocumentFiles(world.ctx, { personId: ana.id, limit: 10 })).toBe(2);
    expect(await files()).toEqual([]);
    for (const file of saved)
      expect(await world.ctx.mediaStore.sizeOf(documentKey(file))).toBeNull();
  });
});

describe("a decision on documents", () => {
  test("approves no incomplete documents, also in the database", async () => {
    await send("id_front");
    await send("selfie");
    await expect(approveOpened(world.ctx, decider())).rejects.toBeInstanceOf(DocumentsIncomplete);
    await queryRegistry(world.ctx, decider());
    const byHand = world.ctx.db
      .update(documents)
      .set({ status: "approved" })
      .where(eq(documents.personId, ana.id));
    await expect(byHand).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining("documents_incomplete") }),
    });
    await send("id_back");
    await approveOpened(world.ctx, decider());
    expect((await documentsOfPerson(world.ctx, { personId: ana.id }))?.status).toBe("approved");
  });

  test("approves only after the deciding moderator opened every file, and names those that were not", async () => {
    await send("passport");
    await send("selfie");
    const [passport, selfie] = await files();
    const open = async (moderatorId: string, fileId = "") =>
      await openDocumentFile(world.ctx, { moderatorId, personId: ana.id, fileId });
    const approval = async () => await approveDocuments(world.ctx, decider());
    await expect(approval()).rejects.toMatchObject({
      constructor: DocumentFilesNotOpened,
      message: "Antes de aprovar, abra o que ainda não viu: Passaporte, a página da foto e Selfie.",
    });
    const colleague = await createModerator(world.ctx);
    await open(colleague.id, selfie?.id);
    await open(carla.id, passport?.id);
    await expect(approval(), "another moderator's view does not count").rejects.toThrow(
      "abra o que ainda não viu: Selfie.",
    );
    await open(carla.id, selfie?.id);
    await send("selfie");
    await expect(approval(), "a new file was seen by nobody").rejects.toThrow("Selfie.");
    await open(carla.id, (await files()).find(({ kind }) => kind === "selfie")?.id);
    await approval();
    expect((await documentsOfPerson(world.ctx, { personId: ana.id }))?.status).toBe("approved");
  });

  test("shows one photo at a time to a moderator, and marks those that they opened", async () => {
    await send("passport");
    await send("selfie");
    const routes = callRoutesAs([{ path: "admin/documents/:personId", module: documentPage }]);
    const shown = async (search = "") =>
      await routes.read<{ files: { kind: string; isOpened: boolean }[]; shownKind: string | null }>(
        { person: carla, isModerator: true },
        `/admin/documents/${ana.id}${search}`,
      );
    expect(await shown()).toMatchObject({
      shownKind: null,
      files: [
        { kind: "passport", isOpened: false },
        { kind: "selfie", isOpened: false },
      ],
    });
    await openDocumentFile(world.ctx, { ...decider(), fileId: (await files())[1]?.id ?? "" });
    expect(await shown("?photo=selfie")).toMatchObject({
      shownKind: "selfie",
      files: [
        { kind: "passport", isOpened: false },
        { kind: "selfie", isOpened: true },
      ],
    });
  });

  test("needs the version that was seen: a newer file refuses it", async () => {
    await send("passport");
    await send("selfie");
    const seenAt = (await documentsOfPerson(world.ctx, { personId: ana.id }))?.filesAt ?? 0;
    await send("selfie");
    await expect(approveOpened(world.ctx, { ...decider(), seenAt })).rejects.toBeInstanceOf(
      DocumentsChanged,
    );
    await expect(
      rejectDocuments(world.ctx, { ...decider(), seenAt, code: "selfie" }),
    ).rejects.toBeInstanceOf(DocumentsChanged);
    const racing = interleaveBeforeWrite(
      world.ctx,
      () => send("selfie"),
      /^update "documents" set "status"/,
    );
    await expect(approveOpened(racing, decider())).rejects.toMatchObject({
      constructor: DocumentsChanged,
      what: "files",
    });
    await expect(
      approveOpened(world.ctx, { ...decider(), expiresOn: isoDay(world.ctx.now() - DAY_MS) }),
    ).rejects.toBeInstanceOf(DocumentExpired);
    await approveOpened(world.ctx, {
      ...decider(),
      seenAt: (await documentsOfPerson(world.ctx, { personId: ana.id }))?.filesAt ?? 0,
    });
  });

  test("on the rejection page uses the version that the documents page showed", async () => {
    await send("passport");
    await send("selfie");
    const seenAt = (await documentsOfPerson(world.ctx, { personId: ana.id }))?.filesAt ?? 0;
    const routes = callRoutesAs([
      { path: "admin/documents/:personId", module: documentPage },
      { path: "admin/documents/:personId/rejection", module: rejectionPage },
    ]);
    const staff = { person: carla, isModerator: true };
    const [page, away] = [
      `/admin/documents/${ana.id}/rejection?seen=${seenAt}`,
      await routes.get(staff, `/admin/documents/${ana.id}/rejection`),
    ];
    expect(away.headers.get("Location")).toBe(`/admin/documents/${ana.id}`);
    await send("selfie");
    const shown = (await (await routes.get(staff, page)).json()) as { seenAt: string };
    expect((await routes.post(staff, page, { code: "selfie", note: "", bornOn: "" })).status).toBe(
      400,
    );
    expect((await routes.post(staff, page, { code: "selfie", seenAt: shown.seenAt })).status).toBe(
      409,
    );
    expect([
      (await files()).length,
      (await documentsOfPerson(world.ctx, { personId: ana.id }))?.status,
    ]).toEqual([2, "submitted"]);
    const again = String((await documentsOfPerson(world.ctx, { personId: ana.id }))?.filesAt);
    expect((await routes.post(staff, page, { code: "selfie", seenAt: again })).status).toBe(302);
  });

  test("that rejects them asks again only for the files it names", async () => {
    await send("passport");
    await send("selfie");
    await rejectDocuments(world.ctx, { ...decider(), code: "selfie" });
    expect((await files()).map(({ kind }) => kind)).toEqual(["passport"]);
    expect(await documentsOfPerson(world.ctx, { personId: ana.id })).toMatchObject({
      status: "rejected",
      rejectionCode: "selfie",
    });
    await expect(send("selfie")).rejects.toBeInstanceOf(DocumentsNotEditable);
  });
});

describe("viewing documents", () => {
  test("needs a link for one moderator, one file and five minutes, and leaves a permanent log", async () => {
    await send("passport");
    const fileId = (await files())[0]?.id ?? "";
    const url = new URL(
      await documentFileLink(world.ctx, { ...decider(), fileId }),
      "https://coreto.test",
    );
    const asked = {
      ...decider(),
      fileId,
      expiresAt: Number(url.searchParams.get("until")),
      signature: url.searchParams.get("signature") ?? "",
    };
    expect(await isDocumentLinkValid(world.ctx, asked)).toBe(true);
    const other = await createModerator(world.ctx);
    for (const wrong of [
      { moderatorId: other.id },
      { fileId: "another" },
      { personId: other.id },
      { expiresAt: asked.expiresAt + 1 },
      { signature: "" },
    ])
      expect(await isDocumentLinkValid(world.ctx, { ...asked, ...wrong })).toBe(false);

    const opened = await openDocumentFile(world.ctx, asked);
    expect((await new Response(opened?.body).arrayBuffer()).byteLength).toBe(opened?.sizeBytes);
    expect(
      (await viewDocumentsAsModerator(world.ctx, { moderatorId: carla.id, personId: ana.id }))
        ?.views,
    ).toMatchObject([{ kind: "details" }, { kind: "passport", viewerName: "Moderação" }]);
    for (const breach of [
      world.ctx.db.update(documentViews).set({ viewerId: "x" }),
      world.ctx.db.delete(documentViews),
    ]) {
      await expect(breach.where(eq(documentViews.personId, ana.id))).rejects.toMatchObject({
        cause: expect.objectContaining({ message: expect.stringContaining("immutable_log") }),
      });
    }
    await world.advance(5 * MINUTE_MS);
    expect(await isDocumentLinkValid(world.ctx, asked)).toBe(false);
  });

  test("logs one view for each moderator and hour, and none of one's own or of missing documents", async () => {
    const other = await createModerator(world.ctx);
    const look = (moderatorId: string, personId = ana.id) =>
      viewDocumentsAsModerator(world.ctx, { moderatorId, personId });
    const lines = async () => (await look(carla.id))?.views.map(({ kind }) => kind);
    const hour = 60 * MINUTE_MS;
    await world.advance(hour - (world.ctx.now() % hour));
    await Promise.all([look(carla.id), look(carla.id)]);
    expect(await lines()).toEqual(["details"]);
    await world.advance(59 * MINUTE_MS);
    await look(other.id);
    expect(await lines()).toEqual(["details", "details"]);
    await world.advance(MINUTE_MS);
    expect((await look(carla.id))?.views).toHaveLength(3);
    await look(ana.id);
    expect(await lines()).toHaveLength(3);
    expect(await look(carla.id, other.id)).toBeNull();
    expect(
      await world.ctx.db.select().from(documentViews).where(eq(documentViews.personId, other.id)),
    ).toEqual([]);
  });

  test("is allowed to moderators only, not for their own documents, and only for existing files", async () => {
    await send("passport");
    const fileId = (await files())[0]?.id ?? "";
    await expect(
      openDocumentFile(world.ctx, { ...decider(), moderatorId: ana.id, fileId }),
    ).rejects.toBeInstanceOf(DocumentModeratorRequired);
    await expect(
      openDocumentFile(world.ctx, { moderatorId: carla.id, personId: carla.id, fileId }),
    ).rejects.toBeInstanceOf(DocumentsConflictOfInterest);
    expect(await openDocumentFile(world.ctx, { ...decider(), fileId: "another" })).toBeNull();
    expect(
      await world.ctx.db.select().from(documentViews).where(eq(documentViews.personId, ana.id)),
    ).toEqual([]);
  });

  test("is logged only as long as the documents exist", async () => {
    await send("passport");
    await openDocumentFile(world.ctx, { ...decider(), fileId: (await files())[0]?.id ?? "" });
    await world.ctx.db
      .update(documents)
      .set({ archivedAt: 1 })
      .where(eq(documents.personId, ana.id));
    await purgeArchivedDocuments(world.ctx, { before: 2, limit: 10 });
    expect(await documentsOfPerson(world.ctx, { personId: ana.id })).toBeNull();
    expect(
      await world.ctx.db.select().from(documentViews).where(eq(documentViews.personId, ana.id)),
    ).toEqual([]);
  });

  test("is erased from the log only with its documents: by their purge, or when a member who never sold is erased", async () => {
    const view = { personId: ana.id, fileId: "", kind: "details", viewerId: carla.id, viewedAt: 1 };
    for (let id = 0; id < 60; id += 1)
      await world.ctx.db.insert(documentViews).values({ ...view, id: `${ana.id}-${id}` });
    const gone = await createPerson(world.ctx, "Quem saiu");
    await submitSellerDetails(world.ctx, {
      personId: gone.id,
      fullName: "Quem Saiu",
      cpf: generateCpf(),
      birthDate: "1990-01-31",
      pixKey: { kind: "email", key: gone.email },
    });
    await viewDocumentsAsModerator(world.ctx, { moderatorId: carla.id, personId: gone.id });
    await world.ctx.db
      .update(documents)
      .set({ archivedAt: 1 })
      .where(eq(documents.personId, gone.id));
    const tap = recordDatabase(testEnv.DB);
    await purgeArchivedDocuments(
      { ...world.ctx, db: openDatabase(tap.database) },
      { before: 2, limit: 10 },
    );
    expect(tap.trips.flat().reduce((sum, { rowsRead }) => sum + rowsRead, 0)).toBeLessThan(30);
    const left = async (personId: string) =>
      (await world.ctx.db.select().from(documentViews).where(eq(documentViews.personId, personId)))
        .length;
    expect([await left(gone.id), await left(ana.id)]).toEqual([0, 60]);
    await commit(world.ctx.db, await eraseDocumentsStatements(world.ctx, { personId: ana.id }));
    expect([await documentsOfPerson(world.ctx, { personId: ana.id }), await left(ana.id)]).toEqual([
      null,
      0,
    ]);
  });
});

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
    await approveOpened(world.ctx, { ...decider(), expiresOn });
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
      [1, 2].map(() => approveOpened(world.ctx, { ...decider(), expiresOn })),
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
      () => approveOpened(world.ctx, { ...decider(), expiresOn }),
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
    await expect(approveOpened(world.ctx, decider())).rejects.toBeInstanceOf(DocumentsIncomplete);
  });

  test("false documents lose their approval with a reason, once, by another moderator", async () => {
    await insertDocumentFiles(world.ctx, ana.id);
    await approveOpened(world.ctx, decider());
    await expect(approveOpened(world.ctx, decider())).rejects.toBeInstanceOf(DocumentsNotPending);
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
    await approveOpened(world.ctx, { ...decider(), expiresOn });
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
