import { eq, inArray } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import * as conversation from "#app/routes/messages/conversation.tsx";
import * as files from "#app/routes/messages/files.ts";
import * as messageDeletion from "#app/routes/messages/message-deletion.tsx";
import * as mediaFile from "#app/routes/resources/media.ts";
import { CLAIMED_MS, sweepMedia, UNUSED_MS } from "#app/domain/media/commands/sweep.server.ts";
import { sendMessage } from "#app/domain/messages/commands.server.ts";
import { subjectNow } from "#app/domain/moderation/reports/queries/subjects.server.ts";
import { messageSubjectId } from "#app/domain/moderation/reports/rules/subjects.ts";
import { media } from "#drizzle/schema/media.ts";
import { messageFiles } from "#drizzle/schema/messages.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pngImage } from "#tests/support/images.ts";
import { mp3, pdf } from "#tests/support/media-files.ts";
import { messageForm, messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const routes = callRoutesAs([
  { path: "messages/:id", module: conversation },
  { path: "messages/:id/files", module: files },
  { path: "messages/:id/:seq/deletion", module: messageDeletion },
  { path: "media/:id/:variant", module: mediaFile },
]);

let world: World;
let ana: Seller;
let bia: TestPerson;
let eve: TestPerson;
let id: string;
const { last: lastOf, listed, open, read, write } = messageHelpers(() => world);

beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  [bia, eve] = [await createPerson(world.ctx, "Bia"), await createPerson(world.ctx, "Eva")];
  id = await open(bia, ana);
});

const document = (name = "a.pdf") => new File([pdf()], name, { type: "application/pdf" });
const photo = async () => new File([await pngImage(90, 60)], "foto.png", { type: "image/png" });

async function uploadAnswer(person: TestPerson, file: File, conversationId = id) {
  const form = new FormData();
  form.set("file", file);
  return await routes.postForm({ person }, `/messages/${conversationId}/files`, form);
}
async function upload(person: TestPerson, file: File): Promise<string> {
  const answer = await uploadAnswer(person, file);
  expect(answer.status).toBe(200);
  return (await answer.json<{ id: string }>()).id;
}
const send = (person: TestPerson, fields: Parameters<typeof messageForm>[1]) =>
  routes.postForm({ person }, `/messages/${id}`, messageForm(world, fields));
const last = (person: TestPerson) => lastOf(person, id);
const statusFor = async (person: TestPerson, mediaId: string, variant = "original") =>
  (await routes.get({ person }, `/media/${mediaId}/${variant}`)).status;

describe("files that were uploaded one by one", () => {
  test("arrive together, in their order, with their descriptions", async () => {
    const ids = [
      await upload(bia, await photo()),
      await upload(bia, document()),
      await upload(bia, new File([mp3()], "valsa.mp3", { type: "audio/mpeg" })),
    ];
    // Before the message is sent nobody gets them by their address.
    for (const person of [ana, bia, eve]) expect(await statusFor(person, ids[1] ?? "")).toBe(404);
    const fileIds = ids.toReversed();
    const answer = await send(bia, { fileIds, fileAlts: ["", "", " A praça "] });
    expect(answer.status).toBe(302);
    const message = await last(ana);
    expect(message.files.map((file) => [file.id, file.kind, file.alt])).toEqual([
      [ids[2], "audio", ""],
      [ids[1], "document", ""],
      [ids[0], "image", "A praça"],
    ]);
    expect((await listed(ana))[0]).toMatchObject({ lastText: "3 arquivos" });
    for (const [person, status] of [
      [ana, 200],
      [bia, 200],
      [eve, 404],
    ] as const)
      for (const mediaId of ids.slice(1)) expect(await statusFor(person, mediaId)).toBe(status);
  });

  test("are in one message only, and only in one of who uploaded them", async () => {
    const [mine, hers] = [await upload(bia, document()), await upload(ana, document())];
    expect((await send(bia, { fileIds: [mine] })).status).toBe(302);
    for (const fileIds of [[mine], [hers], ["nothing"], [await upload(bia, document()), hers]]) {
      const answer = await send(bia, { fileIds, text: "Fica aqui" });
      const body = await answer.text();
      expect(answer.status).toBe(409);
      expect(body).toContain("não está mais guardado");
      expect(body).toContain("Fica aqui");
    }
    expect(await last(ana)).toMatchObject({ files: [{ id: mine }] });
  });

  test("sent twice at once with one key are one message, with another key are refused once", async () => {
    const fileIds = [await upload(bia, document())];
    const key = world.ctx.newId();
    const before = (await read(ana, id)).length;
    await Promise.all([1, 2].map(() => send(bia, { fileIds, clientMessageId: key })));
    await Promise.all([1, 2].map(() => send(bia, { fileIds }).catch(() => null)));
    expect(await read(ana, id)).toHaveLength(before + 1);
  });

  test("are deleted after a week without a message", async () => {
    const [used, unused] = [await upload(bia, document()), await upload(bia, document())];
    await send(bia, { fileIds: [used] });
    const later = (ms: number) => ({ ...world.ctx, now: () => world.ctx.now() + ms });
    await sweepMedia(later(UNUSED_MS + 60_000));
    await sweepMedia(later(UNUSED_MS + CLAIMED_MS + 120_000));
    const rows = await world.ctx.db
      .select({ id: media.id })
      .from(media)
      .where(inArray(media.id, [used, unused]));
    expect(rows).toEqual([{ id: used }]);
    expect((await send(bia, { fileIds: [unused] })).status).toBe(409);
  });

  test("are not taken from an outsider, nor before the conversation is accepted", async () => {
    expect((await uploadAnswer(eve, document())).status).toBe(404);
    const { conversationId } = await write(eve, ana);
    const answer = await uploadAnswer(eve, document(), conversationId);
    expect([answer.status, await answer.text()]).toMatchObject([
      403,
      expect.stringContaining("depois que a conversa for aceita"),
    ]);
    expect(await world.ctx.db.select().from(media).where(eq(media.ownerId, eve.id))).toEqual([]);
  });

  test("are refused one by one, each with its reason", async () => {
    for (const [file, sentence] of [
      [new File(["MZ"], "jogo.exe"), "Este tipo de arquivo não é aceito"],
      [new File([new Uint8Array(10 * 1024 * 1024 + 1)], "longo.mp3"), "até 10 MB"],
      [new File([new Uint8Array(13 * 1024 * 1024)], "enorme.mp3"), "até 10 MB"],
      [new File([], "vazio.pdf"), "Escolha de novo"],
    ] as const) {
      const answer = await uploadAnswer(bia, file);
      expect([file.name, answer.status, await answer.text()]).toMatchObject([
        file.name,
        400,
        expect.stringContaining(sentence),
      ]);
    }
  });
});

describe("without JavaScript", () => {
  test("one field takes several files, and one description serves all", async () => {
    const answer = await send(bia, {
      file: [document("a.pdf"), document("b.pdf")],
      alt: "Contrato",
    });
    expect(answer.status).toBe(302);
    expect((await last(ana)).files).toMatchObject([
      { filename: "a.pdf", alt: "Contrato" },
      { filename: "b.pdf", alt: "Contrato" },
    ]);
    expect((await listed(ana))[0]).toMatchObject({ lastText: "2 PDFs" });
  });

  test("more than ten are refused beside the field, nothing is stored, and the text stays", async () => {
    const file = Array.from({ length: 11 }, (_, at) => document(`${at}.pdf`));
    const answer = await send(bia, { file, text: "Fica aqui" });
    const body = await answer.text();
    expect(answer.status).toBe(400);
    expect(body).toContain("Envie até 10 arquivos por mensagem.");
    expect(body).toContain("Fica aqui");
    expect(await world.ctx.db.select().from(media).where(eq(media.ownerId, bia.id))).toEqual([]);
  });

  test("the files of a day are counted one by one", async () => {
    const ten = Array.from({ length: 10 }, (_, at) => document(`${at}.pdf`));
    for (let sent = 0; sent < 4; sent += 1)
      expect((await send(bia, { file: ten })).status).toBe(302);
    for (let sent = 0; sent < 9; sent += 1) await upload(bia, document());
    const answer = await send(bia, { file: ten.slice(0, 2), text: "Fica aqui" });
    expect([answer.status, await answer.text()]).toMatchObject([
      429,
      expect.stringContaining("muitos arquivos hoje"),
    ]);
    await upload(bia, document());
  });
});

test("deleting a message takes all of its files, and leaves those of others", async () => {
  await send(bia, { file: [document()] });
  const other = (await last(bia)).files[0]?.id ?? "";
  await send(bia, { file: [document(), document()] });
  const { seq, files: sent } = await last(bia);
  await routes.post({ person: bia }, `/messages/${id}/${seq}/deletion`, {});
  expect(await last(ana)).toMatchObject({ isDeleted: true, files: [] });
  for (const { id: mediaId } of sent) expect(await statusFor(ana, mediaId)).toBe(404);
  expect(await statusFor(ana, other)).toBe(200);
  const mediaIds = [other, ...sent.map(({ id: mediaId }) => mediaId)];
  const places = await world.ctx.db
    .select({ mediaId: messageFiles.mediaId })
    .from(messageFiles)
    .where(inArray(messageFiles.mediaId, mediaIds));
  expect(places).toEqual([{ mediaId: other }]);
  const stored = await world.ctx.db
    .select({ id: media.id, unusedSince: media.unusedSince })
    .from(media)
    .where(inArray(media.id, mediaIds));
  expect(stored.filter(({ unusedSince }) => unusedSince === null)).toMatchObject([{ id: other }]);
});

test("all are evidence of a report, in their order", async () => {
  await send(bia, { file: [document("a.pdf"), document("b.pdf")], alt: "Ameaça" });
  const { seq, files: sent } = await last(bia);
  const found = await subjectNow(world.ctx, {
    kind: "message",
    id: messageSubjectId({ conversationId: id, seq }),
  });
  expect(found?.evidence).toMatchObject({
    files: sent.map(({ id: mediaId }) => ({ id: mediaId, kind: "document", alt: "Ameaça" })),
  });
});

test("a message of a text alone has no files, and an empty one is refused", async () => {
  await sendMessage(world.ctx, {
    personId: bia.id,
    conversationId: id,
    writtenById: null,
    text: "Só texto",
    clientMessageId: world.ctx.newId(),
  });
  expect(await last(ana)).toMatchObject({ text: "Só texto", files: [] });
  const answer = await send(bia, {});
  expect([answer.status, await answer.text()]).toMatchObject([
    400,
    expect.stringContaining("Escreva a sua mensagem."),
  ]);
});
