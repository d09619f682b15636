import fc from "fast-check";
import { asc, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { Refusal } from "#app/domain/errors.ts";
import { sendMessage } from "#app/domain/messages/commands.server.ts";
import {
  deleteMessage,
  editMessage,
  reactToMessage,
} from "#app/domain/messages/commands/messages.server.ts";
import { messagesOf } from "#app/domain/messages/queries.server.ts";
import type { Message } from "#app/domain/messages/schema.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { conversations, messages } from "#drizzle/schema/messages.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

const RUNS = 8;

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
});
const { open } = messageHelpers(() => world);

/** Who acts, on which message or under which key, with which text. */
type Act = {
  kind: "send" | "edit" | "delete" | "react" | "catchUp" | "wait";
  by: 0 | 1;
  key: number;
};
const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom("send", "send", "send", "edit", "delete", "react", "catchUp", "wait"),
  by: fc.constantFrom(0, 1),
  key: fc.integer({ min: 0, max: 7 }),
});
/** The acts of a round arrive at once. */
const rounds = fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 8,
});

/** A page that shows what it was told, by the last revision that it saw. */
class Device {
  readonly shown = new Map<number, Message>();
  private revision = 0;
  private readonly read: (after: number) => Promise<Message[]>;

  constructor(read: (after: number) => Promise<Message[]>) {
    this.read = read;
  }

  async catchUp(): Promise<void> {
    for (;;) {
      const page = await this.read(this.revision);
      if (page.length === 0) return;
      for (const message of page) {
        this.shown.set(message.seq, message);
        this.revision = Math.max(this.revision, message.revision);
      }
    }
  }
}

test("however sends, edits, deletions and repeats meet, seqs are 1 to n, nothing is stored twice or lost, and every page that catches up shows what D1 has", async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (played) => {
      const { ctx } = world;
      const bia = await createPerson(ctx, "Bia");
      const id = await open(bia, ana);
      const sides = [bia, ana] as const;
      const devices = sides.map(
        ({ id: personId }) =>
          new Device((changedAfter) =>
            messagesOf(ctx, { conversationId: id, personId, changedAfter, limit: 3 }),
          ),
      );
      const acknowledged = new Map<string, number>();

      const run = async ({ kind, by, key }: Act): Promise<void> => {
        const personId = sides[by].id;
        const one = { conversationId: id, personId, seq: key + 1 };
        if (kind === "wait") return await world.advance(MINUTE_MS);
        if (kind === "catchUp") return await devices[by]?.catchUp();
        if (kind === "edit") return await editMessage(ctx, { ...one, text: `editada ${key}` });
        if (kind === "delete") return await deleteMessage(ctx, one);
        if (kind === "react") return await reactToMessage(ctx, { ...one, emoji: "👍" });
        const { seq } = await sendMessage(ctx, {
          conversationId: id,
          personId,
          writtenById: null,
          text: `texto ${key}`,
          clientMessageId: `device-key-${key}`,
        });
        const name = `${by} ${key}`;
        expect(acknowledged.get(name) ?? seq).toBe(seq);
        acknowledged.set(name, seq);
      };

      for (const round of played)
        await Promise.all(
          round.map((one) =>
            run(one).catch((error: unknown) => {
              if (!(error instanceof Refusal)) throw error;
            }),
          ),
        );

      const stored = await ctx.db
        .select()
        .from(messages)
        .where(eq(messages.conversationId, id))
        .orderBy(asc(messages.seq));
      const counter = await ctx.db
        .select()
        .from(conversations)
        .where(eq(conversations.id, id))
        .get();
      expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1));
      expect(counter?.lastSeq).toBe(stored.length);
      expect(stored.length).toBe(acknowledged.size + 1);
      for (const [name, seq] of acknowledged) {
        const [by, key] = name.split(" ");
        expect(stored[seq - 1]).toMatchObject({
          senderId: sides[Number(by)]?.id,
          clientMessageId: `device-key-${key}`,
        });
      }
      for (const [by, device] of devices.entries()) {
        await device.catchUp();
        const all = await messagesOf(ctx, {
          conversationId: id,
          personId: sides[by]?.id ?? "",
          limit: 500,
        });
        expect([...device.shown.values()].toSorted((a, b) => a.seq - b.seq)).toEqual(all);
      }
    }),
    { numRuns: RUNS, seed: 22 },
  );
});
