import fc from "fast-check";
import { asc, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { Refusal } from "#app/domain/errors.ts";
import {
  deleteMessage,
  editMessage,
  reactToMessage,
} from "#app/domain/messages/commands/messages.server.ts";
import { storeMessageFile } from "#app/domain/messages/commands/files.server.ts";
import { messagesOf } from "#app/domain/messages/queries.server.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { conversations, messages } from "#drizzle/schema/messages.ts";
import { MessageDevice } from "#tests/support/chaos/message-device.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pdf } from "#tests/support/media-files.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

/** The options of `npm run chaos -- messages` (scripts/chaos.ts). The suite uses a short run. */
const asked = z
  .object({
    isCommand: z.boolean().default(false),
    seed: z.number().int(),
    events: z.number().int().positive(),
  })
  .parse(
    JSON.parse((testEnv as unknown as { CHAOS?: string }).CHAOS || '{"seed":22,"events":120}'),
  );

/** The most acts of one conversation. */
const ROUNDS = 10;
const ACTS_AT_ONCE = 4;
const RUNS = Math.max(1, Math.round(asked.events / (ROUNDS * ACTS_AT_ONCE)));
const MS_AN_EVENT_AT_MOST = 1_000;
const DEVICES = ["bia-phone", "bia-desk", "ana-phone", "ana-desk"] as const;

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
});
const { open } = messageHelpers(() => world);

const KINDS = [
  "write",
  "write",
  "write",
  "writeFiles",
  "send",
  "loseAnswer",
  "repeat",
  "offline",
  "online",
  "edit",
  "delete",
  "react",
  "catchUp",
  "wait",
] as const;
type Act = { kind: string; device: number; target: number };
const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom(...KINDS),
  device: fc.nat({ max: DEVICES.length - 1 }),
  target: fc.nat({ max: 9 }),
});
/** The acts of a round arrive at once, in any order. */
const rounds = fc.array(fc.array(act, { minLength: 1, maxLength: ACTS_AT_ONCE }), {
  minLength: 1,
  maxLength: ROUNDS,
});

type Played = { id: string; sides: string[]; devices: MessageDevice[] };

async function startConversation(): Promise<Played> {
  const bia = await createPerson(world.ctx, "Bia");
  const id = await open(bia, ana);
  const sides = [bia.id, ana.id];
  const devices = DEVICES.map(
    (name, at) =>
      new MessageDevice(world.ctx, {
        conversationId: id,
        personId: sides[at < 2 ? 0 : 1] ?? "",
        name,
      }),
  );
  return { id, sides, devices };
}

/** Two files for a message of the person; none once the person sent their 50 of the day. */
async function uploadTwo(place: { conversationId: string; personId: string }) {
  const uploaded = [];
  for (const alt of ["um", "dois"]) {
    const file = new File([pdf()], `${alt}.pdf`, { type: "application/pdf" });
    const { id } = await storeMessageFile(world.ctx, { ...place, file });
    uploaded.push({ mediaId: id, alt });
  }
  return uploaded;
}

/** Every message has the files that were uploaded for it, in their order, until it is deleted. */
async function judgeFiles({ id, sides, devices }: Played): Promise<void> {
  const all = await messagesOf(world.ctx, {
    conversationId: id,
    personId: sides[0] ?? "",
    limit: 1_000,
  });
  for (const { clientMessageId, uploaded } of devices.flatMap(({ written }) => written)) {
    const bySeq = devices.map(({ acknowledged }) => acknowledged.get(clientMessageId));
    const message = all.find(({ seq }) => bySeq.includes(seq));
    if (message?.isDeleted === false)
      expect(message.files.map(({ id: mediaId, alt }) => ({ mediaId, alt }))).toEqual(uploaded);
  }
}

async function play({ id, sides, devices }: Played, { kind, device: at, target }: Act) {
  const device = devices[at];
  if (!device) return;
  const one = { conversationId: id, personId: sides[at < 2 ? 0 : 1] ?? "", seq: target + 1 };
  switch (kind) {
    case "write":
      device.write();
      return await device.flush();
    case "writeFiles":
      device.write(await uploadTwo(one));
      return await device.flush();
    case "send":
      return await device.flush();
    case "loseAnswer":
      return await device.flush({ losesAnswer: true });
    case "repeat":
      return await device.repeat(target);
    case "offline":
      device.isOnline = false;
      return;
    case "online":
      device.isOnline = true;
      await device.flush();
      return await device.catchUp();
    case "edit":
      return await editMessage(world.ctx, { ...one, text: `editada ${target}` });
    case "delete":
      return await deleteMessage(world.ctx, one);
    case "react":
      return await reactToMessage(world.ctx, { ...one, emoji: "👍" });
    case "catchUp":
      return await device.catchUp();
    default:
      return await world.advance(MINUTE_MS);
  }
}

/** Every device is back, and sends what it wrote. */
async function settle({ devices }: Played): Promise<void> {
  for (const device of devices) device.isOnline = true;
  while (devices.some(({ isDone }) => !isDone)) {
    await Promise.all(devices.map((device) => device.flush()));
    await world.advance(HOUR_MS);
  }
  for (const device of devices) await device.catchUp();
}

async function judge({ id, sides, devices }: Played): Promise<void> {
  const { db } = world.ctx;
  const own = eq(messages.conversationId, id);
  const stored = await db.select().from(messages).where(own).orderBy(asc(messages.seq));
  const counter = await db.select().from(conversations).where(eq(conversations.id, id)).get();
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1));
  expect(counter?.lastSeq).toBe(stored.length);
  // The first message opened the conversation.
  expect(stored.length).toBe(devices.reduce((sum, { written }) => sum + written.length, 1));
  for (const [at, device] of devices.entries()) {
    const seqs = device.written.map(({ clientMessageId }) => {
      const found = stored.filter((one) => one.clientMessageId === clientMessageId);
      expect(found.map(({ senderId }) => senderId)).toEqual([sides[at < 2 ? 0 : 1]]);
      expect(device.acknowledged.get(clientMessageId)).toBe(found[0]?.seq);
      return found[0]?.seq ?? 0;
    });
    expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
    const all = await messagesOf(world.ctx, {
      conversationId: id,
      personId: sides[at < 2 ? 0 : 1] ?? "",
      limit: 1_000,
    });
    expect(device.screen()).toEqual(all);
  }
}

test(
  "however devices write, lose answers, repeat and disconnect, every message that was written is stored once, in its device's order, and every device that is back shows what D1 has",
  async () => {
    await fc.assert(
      fc.asyncProperty(rounds, async (given) => {
        const played = await startConversation();
        for (const round of given)
          await Promise.all(
            round.map((one) =>
              play(played, one).catch((error: unknown) => {
                if (!(error instanceof Refusal)) throw error;
              }),
            ),
          );
        await settle(played);
        await judge(played);
        await judgeFiles(played);
      }),
      { numRuns: RUNS, seed: asked.seed, endOnFailure: !asked.isCommand },
    );
  },
  30_000 + asked.events * MS_AN_EVENT_AT_MOST,
);
