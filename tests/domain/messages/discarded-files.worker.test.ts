import { beforeEach, expect, test } from "vitest";
import { Refusal } from "#app/domain/errors.ts";
import { sendMessage } from "#app/domain/messages/commands.server.ts";
import { prepareMessageFiles } from "#app/domain/messages/commands/files.server.ts";
import { CannotWrite, TooManyMessages } from "#app/domain/messages/errors.ts";
import { MESSAGE_LIMITS } from "#app/domain/messages/rules.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pngImage } from "#tests/support/images.ts";
import { pdf } from "#tests/support/media-files.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ana: Seller;
let bia: TestPerson;
let id: string;
const { open, read, write } = messageHelpers(() => world);
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bia = await createPerson(world.ctx, "Bia");
  id = await open(bia, ana);
});

const storedKeys = async (mediaId: string) =>
  (await testEnv.MEDIA.list({ prefix: `media/${mediaId}/` })).objects.map(({ key }) => key);

async function prepared(file: File, clientMessageId = world.ctx.newId()) {
  const place = { conversationId: id, personId: bia.id, clientMessageId };
  const about = { isSensitive: false, recording: null, priceCents: null };
  const files = [{ file, alt: "" }];
  const stored = await prepareMessageFiles(world.ctx, { ...place, ...about, uploaded: [], files });
  if (!stored) throw new Error("was sent before");
  const [mediaId = ""] = stored.mediaIds;
  expect((await storedKeys(mediaId)).length).toBeGreaterThan(0);
  return {
    mediaId,
    send: () => sendMessage(world.ctx, { ...place, writtenById: null, text: "", files: stored }),
  };
}
const document = () => new File([pdf()], "a.pdf", { type: "application/pdf" });

test("the bytes of a file whose message is refused are deleted", async () => {
  const photo = new File([await pngImage(900, 600)], "a.png", { type: "image/png" });
  const files = [await prepared(photo), await prepared(document())];
  await block(world.ctx, { personId: ana.id, otherId: bia.id });
  for (const { mediaId, send } of files) {
    await expect(send()).rejects.toThrow(CannotWrite);
    expect(await storedKeys(mediaId)).toEqual([]);
  }
});

test("also where the limit of the batch refuses it, and where the same message arrives twice", async () => {
  const limited = await prepared(document());
  for (let sent = 1; sent < (MESSAGE_LIMITS[0]?.limit ?? 0); sent += 1) await write(bia, ana);
  await expect(limited.send()).rejects.toThrow(TooManyMessages);
  expect(await storedKeys(limited.mediaId)).toEqual([]);
  await world.advance(120_000);
  const key = world.ctx.newId();
  const [one, other] = [await prepared(document(), key), await prepared(document(), key)];
  const sent = await Promise.all([one.send(), other.send()]);
  expect(sent[0]).toEqual(sent[1]);
  const file = (await read(ana, id)).at(-1)?.files[0]?.id;
  for (const { mediaId } of [one, other])
    expect((await storedKeys(mediaId)).length > 0).toBe(mediaId === file);
});

test("a refused file of several takes the others with it", async () => {
  const before = (await testEnv.MEDIA.list()).objects.length;
  const broken = new File(["não é imagem"], "b.png", { type: "image/png" });
  await expect(
    prepareMessageFiles(world.ctx, {
      conversationId: id,
      personId: bia.id,
      clientMessageId: world.ctx.newId(),
      uploaded: [],
      files: [document(), broken].map((file) => ({ file, alt: "" })),
      isSensitive: false,
      recording: null,
      priceCents: null,
    }),
  ).rejects.toThrow(Refusal);
  expect((await testEnv.MEDIA.list()).objects).toHaveLength(before);
});

test("a failure after the commit deletes nothing", async () => {
  const { mediaId, send } = await prepared(document());
  const changed = world.ctx.live.changed;
  world.ctx.live.changed = async () => {
    throw new Error("nobody to tell");
  };
  await expect(send()).rejects.toThrow("nobody to tell");
  world.ctx.live.changed = changed;
  expect((await storedKeys(mediaId)).length).toBeGreaterThan(0);
  expect((await read(ana, id)).at(-1)?.files[0]?.id).toBe(mediaId);
});
