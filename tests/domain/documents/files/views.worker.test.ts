import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit, openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  eraseDocumentsStatements,
  purgeArchivedDocuments,
} from "#app/domain/documents/erasure/commands.server.ts";
import { saveDocumentFile } from "#app/domain/documents/files/commands/files.server.ts";
import {
  openDocumentFile,
  viewDocumentsAsModerator,
} from "#app/domain/documents/files/commands/views.server.ts";
import {
  DocumentModeratorRequired,
  DocumentsConflictOfInterest,
} from "#app/domain/documents/errors.ts";
import { documentsOfPerson } from "#app/domain/documents/queries.server.ts";
import {
  documentFileLink,
  isDocumentLinkValid,
} from "#app/domain/documents/files/queries.server.ts";
import { submitSellerDetails } from "#app/domain/payouts/destinations/commands.server.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { documentFiles, documents, documentViews } from "#drizzle/schema/documents.ts";
import { generateCpf } from "@brazilian-utils/brazilian-utils/generate-cpf";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { pngImage } from "#tests/support/images.ts";
import { createModerator, createPerson } from "#tests/support/people.ts";
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
