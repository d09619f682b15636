import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { approveDocuments, rejectDocuments } from "#app/domain/documents/commands.server.ts";
import {
  eraseDocumentFiles,
  saveDocumentFile,
} from "#app/domain/documents/files/commands/files.server.ts";
import { queryRegistry } from "#app/domain/documents/registry/commands.server.ts";
import { viewDocumentsAsModerator } from "#app/domain/documents/files/commands/views.server.ts";
import { DocumentFileRefused, TooManyDocumentFiles } from "#app/domain/documents/files/errors.ts";
import {
  DocumentsChanged,
  DocumentsNotEditable,
  DocumentsIncomplete,
  DocumentExpired,
} from "#app/domain/documents/errors.ts";
import { documentsOfPerson } from "#app/domain/documents/queries.server.ts";
import { documentKey } from "#app/domain/documents/files/queries.server.ts";
import { imageHeader } from "#app/domain/media/rules.ts";
import { submitSellerDetails } from "#app/domain/payouts/destinations/commands.server.ts";
import { DAY_MS, HOUR_MS, isoDay } from "#app/domain/time.ts";
import { documentFiles, documents } from "#drizzle/schema/documents.ts";
import { floodCounts } from "#drizzle/schema/rate-limits.ts";
import { generateCpf } from "@brazilian-utils/brazilian-utils/generate-cpf";
import * as documentPage from "#app/routes/admin/documents/document.tsx";
import * as rejectionPage from "#app/routes/admin/documents/document-rejection.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pngImage } from "#tests/support/images.ts";
import { pdf } from "#tests/support/media-files.ts";
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
      () => approveDocuments(world.ctx, decider()),
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
    await expect(approveDocuments(world.ctx, decider())).rejects.toBeInstanceOf(
      DocumentsIncomplete,
    );
    await queryRegistry(world.ctx, decider());
    const byHand = world.ctx.db
      .update(documents)
      .set({ status: "approved" })
      .where(eq(documents.personId, ana.id));
    await expect(byHand).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining("documents_incomplete") }),
    });
    await send("id_back");
    await approveDocuments(world.ctx, decider());
    expect((await documentsOfPerson(world.ctx, { personId: ana.id }))?.status).toBe("approved");
  });

  test("needs the version that was seen: a newer file refuses it", async () => {
    await send("passport");
    await send("selfie");
    const seenAt = (await documentsOfPerson(world.ctx, { personId: ana.id }))?.filesAt ?? 0;
    await send("selfie");
    await expect(approveDocuments(world.ctx, { ...decider(), seenAt })).rejects.toBeInstanceOf(
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
    await expect(approveDocuments(racing, decider())).rejects.toMatchObject({
      constructor: DocumentsChanged,
      what: "files",
    });
    await expect(
      approveDocuments(world.ctx, { ...decider(), expiresOn: isoDay(world.ctx.now() - DAY_MS) }),
    ).rejects.toBeInstanceOf(DocumentExpired);
    await approveDocuments(world.ctx, {
      ...decider(),
      seenAt: (await documentsOfPerson(world.ctx, { personId: ana.id }))?.filesAt ?? 0,
    });
  });

  test("on the rejection page uses the version that the documents page showed", async () => {
    await send("passport");
    await send("selfie");
    const seenAt = (await documentsOfPerson(world.ctx, { personId: ana.id }))?.filesAt ?? 0;
    const doors = callRoutesAs([
      { path: "admin/documents/:personId", module: documentPage },
      { path: "admin/documents/:personId/rejection", module: rejectionPage },
    ]);
    const staff = { person: carla, isModerator: true };
    const [page, away] = [
      `/admin/documents/${ana.id}/rejection?seen=${seenAt}`,
      await doors.get(staff, `/admin/documents/${ana.id}/rejection`),
    ];
    expect(away.headers.get("Location")).toBe(`/admin/documents/${ana.id}`);
    await send("selfie");
    const shown = (await (await doors.get(staff, page)).json()) as { seenAt: string };
    expect((await doors.post(staff, page, { code: "selfie", note: "", bornOn: "" })).status).toBe(
      400,
    );
    expect((await doors.post(staff, page, { code: "selfie", seenAt: shown.seenAt })).status).toBe(
      409,
    );
    expect([
      (await files()).length,
      (await documentsOfPerson(world.ctx, { personId: ana.id }))?.status,
    ]).toEqual([2, "submitted"]);
    const again = String((await documentsOfPerson(world.ctx, { personId: ana.id }))?.filesAt);
    expect((await doors.post(staff, page, { code: "selfie", seenAt: again })).status).toBe(302);
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
