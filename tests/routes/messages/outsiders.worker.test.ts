import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import * as apiConversation from "#app/routes/api/conversation.ts";
import * as act from "#app/routes/messages/act.tsx";
import * as changes from "#app/routes/messages/changes.ts";
import * as conversation from "#app/routes/messages/conversation.tsx";
import * as conversationSearch from "#app/routes/messages/conversation-search.tsx";
import * as messageDeletion from "#app/routes/messages/message-deletion.tsx";
import * as messageEdit from "#app/routes/messages/message-edit.tsx";
import * as messageReaction from "#app/routes/messages/message-reaction.tsx";
import * as paidMessage from "#app/routes/messages/paid-message.tsx";
import * as presence from "#app/routes/messages/presence.ts";
import * as apiConversationFiles from "#app/routes/api/conversation-files.ts";
import * as files from "#app/routes/messages/files.ts";
import * as send from "#app/routes/messages/send.ts";
import * as list from "#app/routes/home/messages.tsx";
import * as mediaFile from "#app/routes/resources/media.ts";
import { sendMessage } from "#app/domain/messages/commands.server.ts";
import { prepareMessageFiles } from "#app/domain/messages/commands/files.server.ts";
import { CannotWrite } from "#app/domain/messages/errors.ts";
import { inboxTopic } from "#app/domain/messages/rules.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { messages } from "#drizzle/schema/messages.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { CONVERSATION_ADDRESSES } from "#tests/support/message-addresses.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { pdf } from "#tests/support/media-files.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const MODULES: Record<(typeof CONVERSATION_ADDRESSES)[number], object> = {
  "messages/:id": conversation,
  "messages/:id/act": act,
  "messages/:id/changes": changes,
  "messages/:id/send": send,
  "messages/:id/files": files,
  "messages/:id/search": conversationSearch,
  "messages/:id/presence": presence,
  "messages/:id/:seq/edit": messageEdit,
  "messages/:id/:seq/deletion": messageDeletion,
  "messages/:id/:seq/reaction": messageReaction,
  "messages/paid/:messageId": paidMessage,
  "api/v1/conversations/:id": apiConversation,
  "api/v1/conversations/:id/files": apiConversationFiles,
};
const routes = callRoutesAs([
  ...Object.entries(MODULES).map(([path, module]) => ({ path, module })),
  { path: "messages", module: list },
  { path: "media/:id/:variant", module: mediaFile },
]);
const SECRET = "A senha do camarim é rabeca";

let world: World;
let ana: Seller;
let bia: TestPerson;
let eve: TestPerson;
let blocked: TestPerson;
/** Of Ana and Bia. */
let id: string;
/** The message with a file of each conversation. */
const filed = new Map<string, { messageId: string; mediaId: string }>();
/** Of Ana and somebody whom she blocked since. */
let blockedId: string;
const { open, read, write } = messageHelpers(() => world);

beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bia = await createPerson(world.ctx, "Bia");
  eve = await createPerson(world.ctx, "Eva");
  blocked = await createPerson(world.ctx, "Davi");
  id = await open(bia, ana);
  blockedId = await open(blocked, ana);
  for (const conversationId of [id, blockedId]) await sendSecret(conversationId);
  await block(world.ctx, { personId: ana.id, otherId: blocked.id });
});

async function sendSecret(conversationId: string): Promise<void> {
  const place = { conversationId, personId: ana.id, clientMessageId: world.ctx.newId() };
  const files = await prepareMessageFiles(world.ctx, {
    ...place,
    uploaded: [],
    files: [{ file: new File([pdf()], "a.pdf", { type: "application/pdf" }), alt: "" }],
    isSensitive: false,
    recording: null,
    priceCents: null,
  });
  await sendMessage(world.ctx, { ...place, writtenById: null, text: SECRET, files });
  const [row] = await world.ctx.db
    .select()
    .from(messages)
    .where(eq(messages.clientMessageId, place.clientMessageId));
  filed.set(conversationId, { messageId: row?.id ?? "", mediaId: files?.mediaIds[0] ?? "" });
}
const rowsOf = (conversationId: string) =>
  world.ctx.db.select().from(messages).where(eq(messages.conversationId, conversationId));

const filled = (address: string, conversationId: string) =>
  `/${address
    .replace(":id", conversationId)
    .replace(":messageId", filed.get(conversationId)?.messageId ?? "")
    .replace(":seq", "2")}`;
/** Their pages say the same of every address, and read nothing. */
const READ_NOTHING: readonly string[] = ["messages/:id/act"];
/** A refusal, and none of the conversation's words. */
async function expectNothing(answer: Response, what: string, mayAnswer = false): Promise<void> {
  expect([what, answer.status >= 400 || mayAnswer]).toEqual([what, true]);
  expect(await answer.text(), what).not.toMatch(/camarim|rabeca/);
}

describe.each([
  ["an outsider", () => ({ person: eve, conversationId: id })],
  ["somebody who was blocked since", () => ({ person: blocked, conversationId: blockedId })],
])("%s", (_, who) => {
  test.each(CONVERSATION_ADDRESSES)("gets nothing of a conversation at %s", async (address) => {
    const { person, conversationId } = who();
    const path = filled(address, conversationId);
    const reads = "loader" in MODULES[address] ? ["", "?before=99", "?after=0", "?q=camarim"] : [];
    for (const query of reads)
      await expectNothing(
        await routes.get({ person }, path + query),
        path + query,
        READ_NOTHING.includes(address),
      );
    const before = await rowsOf(conversationId);
    const fields = { text: "Sou eu", clientMessageId: "outsider-key", act: "accept", emoji: "👍" };
    if ("action" in MODULES[address])
      for (const answer of [
        await routes.post({ person }, path, fields),
        await routes.send({ person }, path, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ ...fields, account: person.id, space: person.id }),
        }),
      ])
        await expectNothing(answer, path);
    expect(await rowsOf(conversationId)).toEqual(before);
  });

  test("finds none of its words, and none of its files", async () => {
    const { person, conversationId } = who();
    for (const path of ["/messages?q=camarim", "/messages", "/messages?filter=archived"])
      expect(await (await routes.get({ person }, path)).text()).not.toMatch(/camarim é/);
    for (const variant of ["original", "640", "1280", "face"])
      expect(
        (await routes.get({ person }, `/media/${filed.get(conversationId)?.mediaId}/${variant}`))
          .status,
      ).toBe(404);
  });

  test("gets an address for live updates of their own only", async () => {
    const { person } = who();
    const { listenAt } = await routes.read<{ listenAt: string }>({ person }, "/messages");
    expect(listenAt).toContain(encodeURIComponent(inboxTopic(person.id)));
    expect(listenAt).not.toContain(ana.id);
  });
});

test("a block in the middle of sending refuses what comes after it, and nothing of it arrives", async () => {
  const [creator, caio] = [await createSeller(world.ctx), await createPerson(world.ctx, "Caio")];
  const conversationId = await open(caio, creator);
  const results = await Promise.allSettled([
    write(caio, creator, "antes"),
    block(world.ctx, { personId: creator.id, otherId: caio.id }),
    write(caio, creator, "durante"),
    write(caio, creator, "depois"),
  ]);
  const stored = await world.ctx.db
    .select({ text: messages.body })
    .from(messages)
    .where(eq(messages.conversationId, conversationId));
  const acknowledged = results.filter(
    (one) => one.status === "fulfilled" && one.value !== undefined,
  );
  expect(stored.length).toBe(1 + acknowledged.length);
  await expect(write(caio, creator, "mais")).rejects.toThrow(CannotWrite);
});

describe("frames of garbage", () => {
  const sendTo = (body: string | Uint8Array<ArrayBuffer>, contentType = "application/json") =>
    routes.send({ person: bia }, `/messages/${id}/send`, {
      method: "POST",
      headers: { "Content-Type": contentType },
      body,
    });

  test.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["a list", "[]"],
    ["null", "null"],
    ["numbers for words", '{"text":1,"clientMessageId":2,"space":3}'],
    ["a message to no page", '{"text":"Oi","clientMessageId":"garbage-key-1","space":""}'],
  ])("%s is refused and changes nothing", async (__, body) => {
    const before = await read(ana, id);
    const { status } = await sendTo(body);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(await read(ana, id)).toEqual(before);
  });

  test("words of another account are not sent by this one, and its own are", async () => {
    const message = (account: string, key: string) =>
      JSON.stringify({ account, space: bia.id, text: "Oi de novo", clientMessageId: key });
    expect((await sendTo(message(ana.id, "other-account"))).status).toBe(401);
    expect((await sendTo(message(bia.id, "own-account"))).status).toBe(200);
    expect((await read(ana, id)).at(-1)?.text).toBe("Oi de novo");
  });

  test("10 MB are refused before they are read whole", async () => {
    const before = await read(ana, id);
    const bytes = new Uint8Array(10 * 1024 * 1024).fill(97);
    for (const type of ["application/json", "text/plain", "application/octet-stream"]) {
      const { status } = await sendTo(bytes, type);
      expect([type, status >= 400 && status < 500]).toEqual([type, true]);
    }
    const form = new FormData();
    form.set("text", "a".repeat(10 * 1024 * 1024));
    form.set("clientMessageId", "garbage-key-3");
    const posted = await routes.postForm({ person: bia }, `/messages/${id}`, form);
    expect(posted.status).toBeGreaterThanOrEqual(400);
    expect(await read(ana, id)).toEqual(before);
  });
});
