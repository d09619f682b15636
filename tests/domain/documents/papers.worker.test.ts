import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { approveDocuments, rejectDocuments } from "#app/domain/documents/commands.server.ts";
import { advanceDocuments } from "#app/domain/documents/commands/calendar.server.ts";
import { forgetArchivedDocuments } from "#app/domain/documents/commands/erasure.server.ts";
import { eraseDocumentFiles, keepDocumentFile } from "#app/domain/documents/commands/files.server.ts";
import { openDocumentFile } from "#app/domain/documents/commands/views.server.ts";
import { DocumentFileRefused, DocumentsChanged, DocumentsClosed, DocumentsIncomplete, NotAModerator, OwnDocuments, PaperEnded } from "#app/domain/documents/errors.ts";
import { documentsDue, documentsForModerator, documentsOf } from "#app/domain/documents/queries.server.ts";
import { documentFileLink, documentKey, isLinkOpen } from "#app/domain/documents/queries/files.server.ts";
import { imageHeader } from "#app/domain/media/rules.ts";
import { submitSellerDetails } from "#app/domain/payouts/commands.server.ts";
import { addDays, DAY_MS, isoDay, MINUTE_MS } from "#app/domain/time.ts";
import { documentFiles, documents, documentViews } from "#drizzle/schema/documents.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { cpf as cpfNumber } from "cpf-cnpj-validator";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pngImage } from "#tests/support/images.ts";
import { pdf } from "#tests/support/media-files.ts";
import { meanwhile } from "#tests/support/meanwhile.ts";
import { moderator, papersOf, person } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: TestPerson;
let carla: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await person(world.ctx, "Ana");
  carla = await moderator(world.ctx);
  await submitSellerDetails(world.ctx, { personId: ana.id, fullName: "Ana Maria Lira", cpf: cpfNumber.generate(), birthDate: "1990-01-31", pixKey: { kind: "email", key: ana.email } });
});

const photo = async () => new Uint8Array(await pngImage(64, 40));
const send = async (kind: "id_front" | "id_back" | "selfie" | "passport", ctx: Context = world.ctx) => keepDocumentFile(ctx, { personId: ana.id, kind, bytes: await photo() });
const files = () => world.ctx.db.select().from(documentFiles).where(eq(documentFiles.personId, ana.id)).orderBy(documentFiles.createdAt);
const decider = () => ({ moderatorId: carla.id, personId: ana.id });
const told = async (type: string) => (await world.ctx.db.select().from(outbox).where(eq(outbox.type, type as never))).filter(({ id }) => id.includes(ana.id));

describe("files", () => {
  test("come in place of their kind, encoded again, their bytes gone with the row", async () => {
    await send("id_front");
    const [first] = await files();
    const stored = await world.ctx.mediaStore.get(documentKey(first ?? { id: "", personId: "" }));
    const bytes = new Uint8Array(await new Response(stored?.body).arrayBuffer());
    expect([stored?.contentType, imageHeader(bytes)?.contentType, first?.sizeBytes]).toEqual(["image/webp", "image/webp", bytes.byteLength]);
    await send("id_front");
    const [second, ...more] = await files();
    expect([more, second?.state, second?.id === first?.id]).toEqual([[], "kept", false]);
    expect(await world.ctx.mediaStore.sizeOf(documentKey(first ?? { id: "", personId: "" }))).toBeNull();
  });

  test("are refused by their bytes, and from who has no documents waiting", async () => {
    await expect(keepDocumentFile(world.ctx, { personId: ana.id, kind: "selfie", bytes: pdf() })).rejects.toBeInstanceOf(DocumentFileRefused);
    const broken = await photo();
    broken.fill(0, 40);
    await expect(keepDocumentFile(world.ctx, { personId: ana.id, kind: "selfie", bytes: broken })).rejects.toBeInstanceOf(DocumentFileRefused);
    const nobody = await person(world.ctx);
    await expect(keepDocumentFile(world.ctx, { personId: nobody.id, kind: "id_pdf", bytes: pdf() })).rejects.toBeInstanceOf(DocumentsClosed);
    expect(await files()).toEqual([]);
  });

  test("that arrive while the decision is made change nothing of it", async () => {
    await papersOf(world.ctx, ana.id);
    const racing = meanwhile(world.ctx, () => approveDocuments(world.ctx, decider()), /^update "documents" set "files_at"/);
    await expect(send("selfie", racing)).rejects.toBeInstanceOf(DocumentsClosed);
    expect((await files()).filter(({ state }) => state === "kept").map(({ sizeBytes }) => sizeBytes)).toEqual([1, 1, 1]);
  });

  test("whose bytes never came are none, and go with the rest when their person leaves", async () => {
    const broken = { ...world.ctx, mediaStore: { ...world.ctx.mediaStore, put: () => Promise.reject(new Error("the process died")) } };
    await expect(send("selfie", broken)).rejects.toThrow("died");
    await send("id_front");
    expect((await documentsForModerator(world.ctx, { personId: ana.id }))?.files.map(({ kind }) => kind)).toEqual(["id_front"]);
    const kept = await files();
    expect(await eraseDocumentFiles(world.ctx, { personId: ana.id, limit: 10 })).toBe(2);
    expect(await files()).toEqual([]);
    for (const file of kept) expect(await world.ctx.mediaStore.sizeOf(documentKey(file))).toBeNull();
  });
});

describe("a decision", () => {
  test("approves nobody whose papers are not all there, nor does the database", async () => {
    await send("id_front");
    await send("selfie");
    await expect(approveDocuments(world.ctx, decider())).rejects.toBeInstanceOf(DocumentsIncomplete);
    const byHand = world.ctx.db.update(documents).set({ status: "approved" }).where(eq(documents.personId, ana.id));
    await expect(byHand).rejects.toMatchObject({ cause: expect.objectContaining({ message: expect.stringContaining("documents_incomplete") }) });
    await send("id_back");
    await approveDocuments(world.ctx, decider());
    expect((await documentsOf(world.ctx, { personId: ana.id }))?.status).toBe("approved");
  });

  test("is of what was seen: another file meanwhile asks to look again", async () => {
    await send("passport");
    await send("selfie");
    const seenAt = (await documentsOf(world.ctx, { personId: ana.id }))?.filesAt ?? 0;
    await send("selfie");
    await expect(approveDocuments(world.ctx, { ...decider(), seenAt })).rejects.toBeInstanceOf(DocumentsChanged);
    await expect(rejectDocuments(world.ctx, { ...decider(), seenAt, code: "selfie" })).rejects.toBeInstanceOf(DocumentsChanged);
    const racing = meanwhile(world.ctx, () => send("selfie"), /^update "documents" set "status"/);
    await expect(approveDocuments(racing, decider())).rejects.toBeInstanceOf(DocumentsChanged);
    await expect(approveDocuments(world.ctx, { ...decider(), expiresOn: isoDay(world.ctx.now() - DAY_MS) })).rejects.toBeInstanceOf(PaperEnded);
    await approveDocuments(world.ctx, { ...decider(), seenAt: (await documentsOf(world.ctx, { personId: ana.id }))?.filesAt ?? 0 });
  });

  test("that sends back asks again only for what it speaks of", async () => {
    await send("passport");
    await send("selfie");
    await rejectDocuments(world.ctx, { ...decider(), code: "selfie" });
    expect((await files()).map(({ kind }) => kind)).toEqual(["passport"]);
    expect(await documentsOf(world.ctx, { personId: ana.id })).toMatchObject({ status: "rejected", rejectionCode: "selfie" });
    await expect(send("selfie")).rejects.toBeInstanceOf(DocumentsClosed);
  });
});

describe("looking", () => {
  test("is by an address for one moderator, one file and five minutes, and leaves a line that stays", async () => {
    await send("passport");
    const fileId = (await files())[0]?.id ?? "";
    const url = new URL(await documentFileLink(world.ctx, { ...decider(), fileId }), "https://coreto.test");
    const asked = { ...decider(), fileId, expiresAt: Number(url.searchParams.get("until")), signature: url.searchParams.get("signature") ?? "" };
    expect(await isLinkOpen(world.ctx, asked)).toBe(true);
    const other = await moderator(world.ctx);
    for (const wrong of [{ moderatorId: other.id }, { fileId: "another" }, { personId: other.id }, { expiresAt: asked.expiresAt + 1 }, { signature: "" }]) expect(await isLinkOpen(world.ctx, { ...asked, ...wrong })).toBe(false);

    const opened = await openDocumentFile(world.ctx, asked);
    expect((await new Response(opened?.body).arrayBuffer()).byteLength).toBe(opened?.sizeBytes);
    expect((await documentsForModerator(world.ctx, { personId: ana.id }))?.views).toMatchObject([{ kind: "passport", viewerName: "Moderação" }]);
    for (const breach of [world.ctx.db.update(documentViews).set({ viewerId: "x" }), world.ctx.db.delete(documentViews)]) {
      await expect(breach.where(eq(documentViews.personId, ana.id))).rejects.toMatchObject({ cause: expect.objectContaining({ message: expect.stringContaining("immutable_log") }) });
    }
    await world.advance(5 * MINUTE_MS);
    expect(await isLinkOpen(world.ctx, asked)).toBe(false);
  });

  test("is for moderators, at nobody's own papers, and at nothing that is not there", async () => {
    await send("passport");
    const fileId = (await files())[0]?.id ?? "";
    await expect(openDocumentFile(world.ctx, { ...decider(), moderatorId: ana.id, fileId })).rejects.toBeInstanceOf(NotAModerator);
    await expect(openDocumentFile(world.ctx, { moderatorId: carla.id, personId: carla.id, fileId })).rejects.toBeInstanceOf(OwnDocuments);
    expect(await openDocumentFile(world.ctx, { ...decider(), fileId: "another" })).toBeNull();
    expect(await world.ctx.db.select().from(documentViews).where(eq(documentViews.personId, ana.id))).toEqual([]);
  });

  test("is remembered no longer than what was looked at", async () => {
    await send("passport");
    await openDocumentFile(world.ctx, { ...decider(), fileId: (await files())[0]?.id ?? "" });
    await world.ctx.db.update(documents).set({ archivedAt: 1 }).where(eq(documents.personId, ana.id));
    await forgetArchivedDocuments(world.ctx, { before: 2, limit: 10 });
    expect(await documentsOf(world.ctx, { personId: ana.id })).toBeNull();
    expect(await world.ctx.db.select().from(documentViews).where(eq(documentViews.personId, ana.id))).toEqual([]);
  });
});

describe("the calendar", () => {
  const due = async () => (await documentsDue(world.ctx, { now: world.ctx.now(), limit: 100 })).filter((id) => id === ana.id);

  test("tells once, four days before the fourteen end, what is missing", async () => {
    expect(await due()).toEqual([]);
    await world.advance(10 * DAY_MS);
    expect(await due()).toEqual([ana.id]);
    await Promise.all([advanceDocuments(world.ctx, { personId: ana.id }), advanceDocuments(world.ctx, { personId: ana.id })]);
    await advanceDocuments(world.ctx, { personId: ana.id });
    expect((await told("documents.deadline")).map(({ payload }) => payload["isMissing"])).toEqual([true]);
    expect(await due()).toEqual([]);
  });

  test("tells of a paper that ends, takes a new one, and the day after asks for the decision again", async () => {
    await send("passport");
    await send("selfie");
    const expiresOn = isoDay(addDays(world.ctx.now(), 60));
    await approveDocuments(world.ctx, { ...decider(), expiresOn });
    await expect(send("passport")).rejects.toBeInstanceOf(DocumentsClosed);
    await world.advance(31 * DAY_MS);
    expect(await due()).toEqual([ana.id]);
    await advanceDocuments(world.ctx, { personId: ana.id });
    expect(await told("documents.ending")).toHaveLength(1);
    expect(await due()).toEqual([]);
    await send("id_front");

    await world.advance(30 * DAY_MS);
    await advanceDocuments(world.ctx, { personId: ana.id });
    await advanceDocuments(world.ctx, { personId: ana.id });
    expect(await told("documents.ended")).toHaveLength(1);
    const now = await documentsOf(world.ctx, { personId: ana.id });
    expect(now).toMatchObject({ status: "submitted", expiresOn, decidedAt: null });
    expect(world.ctx.now() - (now?.submittedAt ?? 0)).toBeLessThan(DAY_MS);
    const kept = await world.ctx.db.select({ kind: documentFiles.kind }).from(documentFiles).where(and(eq(documentFiles.personId, ana.id), eq(documentFiles.state, "kept")));
    expect(kept.map(({ kind }) => kind).toSorted()).toEqual(["id_front", "selfie"]);
  });
});
