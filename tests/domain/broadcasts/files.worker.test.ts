import { eq, inArray } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import {
  changeBroadcast,
  createBroadcast,
  scheduleBroadcast,
} from "#app/domain/broadcasts/commands.server.ts";
import { sendBroadcastPage } from "#app/domain/broadcasts/commands/send.server.ts";
import { broadcastOf, broadcastStatistics } from "#app/domain/broadcasts/queries.server.ts";
import { mediaFor } from "#app/domain/media/queries.server.ts";
import { storeUploadedFile } from "#app/domain/messages/commands/files.server.ts";
import { deleteMessage } from "#app/domain/messages/commands/messages.server.ts";
import { CannotSellFile, MessageFilesGone } from "#app/domain/messages/errors.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { media } from "#drizzle/schema/media.ts";
import { messageFiles } from "#drizzle/schema/messages.ts";
import { purchases } from "#drizzle/schema/purchases.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pdf } from "#tests/support/media-files.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { paidPurchase } from "#tests/support/purchases.ts";
import { paidTip } from "#tests/support/tips.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";

let world: World;
let ana: Seller;
let bia: TestPerson;
let caio: TestPerson;
let eve: TestPerson;
const { follows, listed, read, write } = messageHelpers(() => world);

beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  [bia, caio, eve] = [
    await createPerson(world.ctx, "Bia"),
    await createPerson(world.ctx, "Caio"),
    await createPerson(world.ctx, "Eva"),
  ];
  for (const person of [bia, caio]) await follows(person, ana);
});

const document = (name: string) => new File([pdf()], name, { type: "application/pdf" });
const upload = async (person: TestPerson = ana) =>
  (await storeUploadedFile(world.ctx, { personId: person.id, file: document("a.pdf") })).id;
const draft = (fileIds: string[], { priceCents = null as number | null, creator = ana } = {}) => ({
  creatorId: creator.id,
  writtenById: null,
  segment: "followers" as const,
  planIds: [],
  text: "Oi, {nome}!",
  files: {
    savedIds: [],
    uploaded: fileIds.map((mediaId) => ({ mediaId, alt: "Partitura" })),
    files: [],
    isSensitive: false,
    priceCents,
  },
});
async function send(id: string): Promise<void> {
  const own = { id, creatorId: ana.id };
  await scheduleBroadcast(world.ctx, { ...own, sendAt: null });
  while ((await broadcastOf(world.ctx, own))?.state !== "sent")
    await sendBroadcastPage(world.ctx, { broadcastId: id });
}
async function received(person: TestPerson) {
  const [conversation] = await listed(person);
  const message = (await read(person, conversation?.id ?? "")).at(-1);
  if (!conversation || !message) throw new Error("nothing arrived");
  return { conversationId: conversation.id, ...message };
}
const opens = async (person: TestPerson, mediaId: string) =>
  (await mediaFor(world.ctx, { viewerId: person.id, mediaId, variant: "original" })) !== null;

describe("files of a broadcast", () => {
  test("are stored once, and shown in every conversation in their order", async () => {
    const ids = [await upload(), await upload()];
    const stored = await world.ctx.db.$count(media);
    await send(await createBroadcast(world.ctx, draft(ids)));
    for (const person of [bia, caio])
      expect((await received(person)).files).toMatchObject(
        ids.map((id) => ({ id, alt: "Partitura", filename: "a.pdf" })),
      );
    expect(await world.ctx.db.$count(media)).toBe(stored);
    expect(await world.ctx.db.$count(messageFiles)).toBe(2);
  });

  test("are for who got it and the page that wrote it, and for nobody before it went out", async () => {
    const mediaId = await upload();
    const id = await createBroadcast(world.ctx, draft([mediaId]));
    expect([await opens(ana, mediaId), await opens(bia, mediaId)]).toEqual([true, false]);
    await send(id);
    const team = await createTeamFor(world.ctx, ana);
    const [member, guest] = [
      await createTeammate(world.ctx, team, "basic_member"),
      await createTeammate(world.ctx, team, "guest_member"),
    ];
    await follows(eve, ana);
    const opened = [ana, bia, caio, member, eve, guest].map((person) => opens(person, mediaId));
    expect(await Promise.all(opened)).toEqual([true, true, true, true, false, false]);
  });

  test("close to who blocked the page, and to one whose message was deleted; the others keep them", async () => {
    const mediaId = await upload();
    await send(await createBroadcast(world.ctx, draft([mediaId])));
    const { conversationId, seq } = await received(bia);
    await deleteMessage(world.ctx, { conversationId, seq, personId: ana.id });
    expect([await opens(bia, mediaId), await opens(caio, mediaId)]).toEqual([false, true]);
    expect(await received(caio)).toMatchObject({ files: [{ id: mediaId }] });
    await block(world.ctx, { personId: caio.id, otherId: ana.id });
    expect(await opens(caio, mediaId)).toBe(false);
    const row = await world.ctx.db.select().from(media).where(eq(media.id, mediaId)).get();
    expect(row?.unusedSince).toBeNull();
  });

  test("with a price open for each buyer alone", async () => {
    const mediaId = await upload();
    await send(await createBroadcast(world.ctx, draft([mediaId], { priceCents: 2_000 })));
    const locked = await received(bia);
    expect(locked).toMatchObject({
      text: "Oi, Bia!",
      files: [],
      sale: { priceCents: 2_000, fileKinds: ["document"], isOpen: false },
    });
    expect(await opens(bia, mediaId)).toBe(false);
    await paidPurchase(world, bia, locked.id, "message");
    expect([await opens(bia, mediaId), await opens(caio, mediaId)]).toEqual([true, false]);
    expect(await received(bia)).toMatchObject({ files: [{ id: mediaId }] });
    expect(await received(caio)).toMatchObject({ files: [] });
  });
});

test("the statistics count who bought and what they paid, and neither a refund as bought nor a tip as an answer", async () => {
  await follows(eve, ana);
  const id = await createBroadcast(world.ctx, draft([await upload()], { priceCents: 2_000 }));
  await send(id);
  for (const person of [bia, caio])
    await paidPurchase(world, person, (await received(person)).id, "message");
  await paidTip(world, eve, ana);
  await world.tick();
  expect((await received(eve)).tipCents).not.toBeNull();
  expect(await broadcastStatistics(world.ctx, { id })).toMatchObject({
    answeredCount: 0,
    boughtCount: 2,
    boughtCents: 4_000,
  });
  await write(eve, ana, "Recebi!");
  await world.ctx.db
    .update(purchases)
    .set({ endedAt: world.ctx.now(), endedReason: "refunded" })
    .where(eq(purchases.personId, caio.id));
  expect(await broadcastStatistics(world.ctx, { id })).toMatchObject({
    answeredCount: 1,
    boughtCount: 1,
    boughtCents: 2_000,
  });
});

describe("changing a draft", () => {
  test("keeps the chosen files, adds new ones, and releases the others", async () => {
    const [first, second, third] = [await upload(), await upload(), await upload()];
    const id = await createBroadcast(world.ctx, draft([first, second]));
    const next = draft([third]);
    await changeBroadcast(world.ctx, {
      id,
      ...next,
      // One of another broadcast or message is not taken over.
      files: { ...next.files, savedIds: ["elsewhere", second], isSensitive: true },
    });
    expect(await broadcastOf(world.ctx, { id, creatorId: ana.id })).toMatchObject({
      files: [{ id: second, isSensitive: true }, { id: third }],
    });
    const rows = await world.ctx.db
      .select({ id: media.id, unusedSince: media.unusedSince })
      .from(media)
      .where(inArray(media.id, [first, second, third]));
    expect(rows.filter(({ unusedSince }) => unusedSince !== null)).toMatchObject([{ id: first }]);
  });

  test("refuses files of somebody else, and a price of who cannot sell", async () => {
    const other = await createSeller(world.ctx);
    await expect(createBroadcast(world.ctx, draft([await upload(other)]))).rejects.toThrow(
      MessageFilesGone,
    );
    const fan = draft([await upload(bia)], { priceCents: 2_000 });
    await expect(createBroadcast(world.ctx, { ...fan, creatorId: bia.id })).rejects.toThrow(
      CannotSellFile,
    );
  });
});
