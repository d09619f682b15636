import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import * as conversation from "#app/routes/messages/conversation.tsx";
import * as messageDeletion from "#app/routes/messages/message-deletion.tsx";
import * as mediaFile from "#app/routes/resources/media.ts";
import { CLAIMED_MS, sweepMedia, UNUSED_MS } from "#app/domain/media/commands/sweep.server.ts";
import { mediaFor } from "#app/domain/media/queries.server.ts";
import { prepareMessageFiles } from "#app/domain/messages/commands/files.server.ts";
import { changeConversation } from "#app/domain/messages/commands/members.server.ts";
import { TooManyMessageFiles } from "#app/domain/messages/errors.ts";
import { block, unblock } from "#app/domain/profiles/commands.server.ts";
import { subjectNow } from "#app/domain/moderation/reports/queries/subjects.server.ts";
import { messageSubjectId } from "#app/domain/moderation/reports/rules/subjects.ts";
import { media } from "#drizzle/schema/media.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pngImage } from "#tests/support/images.ts";
import { mp3, pdf } from "#tests/support/media-files.ts";
import { messageForm, messageHelpers } from "#tests/support/messages.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const routes = callRoutesAs([
  { path: "messages/:id", module: conversation },
  { path: "messages/:id/:seq/deletion", module: messageDeletion },
  { path: "media/:id/:variant", module: mediaFile },
]);

let world: World;
let ana: Seller;
let bia: TestPerson;
let eve: TestPerson;
let id: string;
const { last: lastOf, listed, open, write } = messageHelpers(() => world);

beforeAll(async () => {
  world = await testContext();
  photoBytes = await pngImage(900, 600);
  ana = await createSeller(world.ctx);
  [bia, eve] = [await createPerson(world.ctx, "Bia"), await createPerson(world.ctx, "Eva")];
  id = await open(bia, ana);
});

let photoBytes: ArrayBuffer;
const photo = () => new File([photoBytes], "foto.png", { type: "image/png" });

const sendFile = (
  person: TestPerson,
  file: File | null,
  fields: Record<string, string> = {},
  conversationId = id,
): Promise<Response> =>
  routes.postForm(
    { person },
    `/messages/${conversationId}`,
    messageForm(world, { ...fields, ...(file && { file }) }),
  );
const last = (person: TestPerson) => lastOf(person, id);
const statusFor = async (caller: ActingCaller, mediaId: string, variant = "640") =>
  (await routes.get(caller, `/media/${mediaId}/${variant}`)).status;

describe("a picture in a message", () => {
  test("is shown to the two sides, and is 404 for everybody else", async () => {
    expect((await sendFile(bia, photo(), { alt: "Eu na praça", isSensitive: "true" })).status).toBe(
      302,
    );
    const { files, text } = await last(ana);
    expect([text, files]).toMatchObject([
      "",
      [{ kind: "image", alt: "Eu na praça", isSensitive: true }],
    ]);
    const mediaId = files[0]?.id ?? "";
    for (const variant of ["640", "1280"]) {
      for (const person of [ana, bia])
        expect(await statusFor({ person }, mediaId, variant)).toBe(200);
      expect(await statusFor({ person: eve }, mediaId, variant)).toBe(404);
    }
    const moderator = await createModerator(world.ctx);
    expect(await statusFor({ person: moderator, isModerator: true }, mediaId)).toBe(404);
    expect(await mediaFor(world.ctx, { viewerId: null, mediaId, variant: "640" })).toBeNull();
    // No other variant of it exists, such as the thumbnail that a locked post has.
    expect(await statusFor({ person: ana }, mediaId, "face")).toBe(404);
  });

  test("is for a team's roles that read messages, and not for a guest", async () => {
    await sendFile(bia, photo());
    const mediaId = (await last(bia)).files[0]?.id ?? "";
    const team = await createTeamFor(world.ctx, ana);
    for (const [role, status] of [
      ["basic_member", 200],
      ["guest_member", 404],
    ] as const) {
      const person = await createTeammate(world.ctx, team, role);
      expect([role, await statusFor({ person, teamId: team.teamId }, mediaId)]).toEqual([
        role,
        status,
      ]);
    }
  });

  test("is hidden by a block, for both sides, and for who cleared the conversation", async () => {
    await sendFile(bia, photo());
    const mediaId = (await last(bia)).files[0]?.id ?? "";
    await block(world.ctx, { personId: bia.id, otherId: ana.id });
    for (const person of [ana, bia]) expect(await statusFor({ person }, mediaId)).toBe(404);
    await unblock(world.ctx, { personId: bia.id, otherId: ana.id });
    await changeConversation(world.ctx, { conversationId: id, personId: ana.id, act: "clear" });
    expect(await statusFor({ person: ana }, mediaId)).toBe(404);
    expect(await statusFor({ person: bia }, mediaId)).toBe(200);
  });

  test("goes with its message: at once for everybody, and its bytes with the sweep", async () => {
    await sendFile(bia, photo(), { text: "Olha" });
    const { seq, files } = await last(bia);
    const mediaId = files[0]?.id ?? "";
    expect((await routes.post({ person: bia }, `/messages/${id}/${seq}/deletion`, {})).status).toBe(
      302,
    );
    expect(await last(ana)).toMatchObject({ isDeleted: true, files: [], text: "" });
    for (const person of [ana, bia]) expect(await statusFor({ person }, mediaId)).toBe(404);
    const { ctx } = world;
    const later = (ms: number) => ({ ...ctx, now: () => ctx.now() + ms });
    await sweepMedia(later(UNUSED_MS + 60_000));
    await sweepMedia(later(UNUSED_MS + CLAIMED_MS + 120_000));
    expect(await ctx.db.select().from(media).where(eq(media.id, mediaId))).toEqual([]);
    expect((await testEnv.MEDIA.list({ prefix: `media/${mediaId}/` })).objects).toEqual([]);
  });

  test("is part of a report's evidence", async () => {
    await sendFile(bia, photo(), { alt: "Ameaça" });
    const { seq, files } = await last(bia);
    const found = await subjectNow(world.ctx, {
      kind: "message",
      id: messageSubjectId({ conversationId: id, seq }),
    });
    expect(found?.evidence).toMatchObject({
      files: [{ id: files[0]?.id, kind: "image", alt: "Ameaça" }],
    });
  });
});

test("a PDF and an audio arrive as they are, and the list says what came", async () => {
  await sendFile(bia, new File([pdf()], "contrato.pdf", { type: "application/pdf" }));
  const [document] = (await last(ana)).files;
  expect(document).toMatchObject({ kind: "document", filename: "contrato.pdf" });
  expect(await statusFor({ person: ana }, document?.id ?? "", "original")).toBe(200);
  expect(await statusFor({ person: eve }, document?.id ?? "", "original")).toBe(404);
  await sendFile(bia, new File([mp3()], "valsa.mp3", { type: "audio/mpeg" }));
  const [item] = await listed(ana);
  expect(item).toMatchObject({ lastText: "Áudio" });
});

test("an answer to a picture alone names it, not a deleted message", async () => {
  await sendFile(bia, photo());
  const { seq } = await last(bia);
  await routes.post({ person: ana }, `/messages/${id}`, {
    text: "Linda!",
    clientMessageId: world.ctx.newId(),
    replyTo: String(seq),
  });
  expect((await last(ana)).replyTo).toMatchObject({ seq, text: "Arquivo" });
});

describe("a refused file", () => {
  test.each([
    ["of another kind", new File(["MZ"], "jogo.exe"), "Este tipo de arquivo não é aceito"],
    [
      "that is not what its name says",
      new File(["não é imagem"], "foto.png", { type: "image/png" }),
      "Envie uma imagem JPG",
    ],
    [
      "over 10 MB",
      new File([new Uint8Array(10 * 1024 * 1024 + 1)], "longo.mp3", { type: "audio/mpeg" }),
      "O arquivo precisa ter até 10 MB",
    ],
  ])("%s is said beside its field, and the text stays", async (_, file, sentence) => {
    const answer = await sendFile(bia, file, { text: "Fica aqui" });
    expect(answer.status).toBe(400);
    const body = await answer.text();
    expect(body).toContain(sentence);
    expect(body).toContain("Fica aqui");
  });

  test("waits until a stranger's conversation is accepted", async () => {
    const creator = await createSeller(world.ctx);
    const { conversationId } = await write(eve, creator);
    const answer = await sendFile(eve, photo(), {}, conversationId);
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain("depois que a conversa for aceita");
    await changeConversation(world.ctx, { conversationId, personId: creator.id, act: "accept" });
    expect((await sendFile(eve, photo(), {}, conversationId)).status).toBe(302);
  });

  test("is that of an outsider, of whom nothing is stored", async () => {
    expect((await sendFile(eve, photo())).status).toBe(404);
    expect(await world.ctx.db.select().from(media).where(eq(media.ownerId, eve.id))).toHaveLength(
      1,
    );
  });

  test("an empty message without a file is refused beside the text", async () => {
    const answer = await sendFile(bia, null);
    expect([answer.status, await answer.text()]).toMatchObject([
      400,
      expect.stringContaining("Escreva a sua mensagem."),
    ]);
  });

  test("is the 51st of a day", async () => {
    const caio = await createPerson(world.ctx, "Caio");
    const conversationId = await open(caio, ana);
    const prepare = () =>
      prepareMessageFiles(world.ctx, {
        conversationId,
        personId: caio.id,
        clientMessageId: world.ctx.newId(),
        uploaded: [],
        files: [{ file: new File([pdf()], "a.pdf", { type: "application/pdf" }), alt: "" }],
        isSensitive: false,
        recording: null,
        priceCents: null,
      });
    for (let count = 0; count < 50; count += 1) await prepare();
    await expect(prepare()).rejects.toThrow(TooManyMessageFiles);
    await expect(prepare()).rejects.toThrow(/muitos arquivos hoje. Tente de novo a partir de/);
  });
});
