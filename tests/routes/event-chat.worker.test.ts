import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { chatTopic } from "#app/domain/event-chat/rules.ts";
import { cancelSeats } from "#app/domain/events/commands/cancellation.server.ts";
import { prepareMessageFiles } from "#app/domain/messages/commands/files.server.ts";
import { ConversationNotFound } from "#app/domain/messages/errors.ts";
import { CannotReportOwn, SubjectNotFound } from "#app/domain/moderation/reports/errors.ts";
import { subjectNow } from "#app/domain/moderation/reports/queries/subjects.server.ts";
import { messageSubjectId, subjectPath } from "#app/domain/moderation/reports/rules/subjects.ts";
import * as apiConversation from "#app/routes/api/conversation.ts";
import * as apiConversations from "#app/routes/api/conversations.ts";
import * as chatChanges from "#app/routes/events/live/chat-changes.ts";
import * as chatDeletion from "#app/routes/events/live/chat-deletion.tsx";
import * as chatEdit from "#app/routes/events/live/chat-edit.tsx";
import * as chatReaction from "#app/routes/events/live/chat-reaction.tsx";
import * as chatSend from "#app/routes/events/live/chat-send.ts";
import * as live from "#app/routes/events/live/live.tsx";
import * as list from "#app/routes/home/messages.tsx";
import * as act from "#app/routes/messages/act.tsx";
import * as changes from "#app/routes/messages/changes.ts";
import * as conversation from "#app/routes/messages/conversation.tsx";
import * as messageEdit from "#app/routes/messages/message-edit.tsx";
import * as messageReaction from "#app/routes/messages/message-reaction.tsx";
import * as apiConversationFiles from "#app/routes/api/conversation-files.ts";
import * as files from "#app/routes/messages/files.ts";
import * as send from "#app/routes/messages/send.ts";
import { messages } from "#drizzle/schema/messages.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { chatHelpers, eventWithVideo } from "#tests/support/event-chat.ts";
import { pdf } from "#tests/support/media-files.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { reported } from "#tests/support/reports.ts";
import { testEnv } from "#tests/support/worker-env.ts";

/** Every address that could lead into the chat, whether it is one of its own or of messages. */
const MODULES = {
  "events/:id/live": live,
  "events/:id/live/send": chatSend,
  "events/:id/live/changes": chatChanges,
  "events/:id/live/:seq/deletion": chatDeletion,
  "events/:id/live/:seq/edit": chatEdit,
  "events/:id/live/:seq/reaction": chatReaction,
  messages: list,
  "messages/:id": conversation,
  "messages/:id/act": act,
  "messages/:id/changes": changes,
  "messages/:id/send": send,
  "messages/:id/files": files,
  "messages/:id/:seq/edit": messageEdit,
  "messages/:id/:seq/reaction": messageReaction,
  "api/v1/conversations": apiConversations,
  "api/v1/conversations/:id": apiConversation,
  "api/v1/conversations/:id/files": apiConversationFiles,
} as const;
const ADDRESSES = Object.keys(MODULES) as (keyof typeof MODULES)[];
const routes = callRoutesAs(
  Object.entries(MODULES).map(([path, module]) => ({ path, module })),
  { ...testEnv, UNCOMPLETED_FEATURES: "true" },
);

let world: World;
let ana: Seller;
let bia: TestPerson;
let eve: TestPerson;
let left: TestPerson;
let id: string;
const { write, texts, seen } = chatHelpers(() => world);

beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
  bia = await createPerson(world.ctx, "Bia");
  eve = await createPerson(world.ctx, "Eva");
  left = await createPerson(world.ctx, "Davi");
  id = await eventWithVideo(world.ctx, ana, [bia, left]);
  await write(bia, id, "A senha é sanfona");
  await cancelSeats(world.ctx, { eventId: id, personId: left.id });
});

const filled = (address: string) => `/${address.replace(":id", id).replace(":seq", "1")}`;
const json = (fields: object) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(fields),
});

describe.each([
  ["an outsider", () => eve],
  ["who gave the seat back", () => left],
])("%s", (_, who) => {
  test.each(ADDRESSES)("gets nothing of the chat at %s, and writes nothing", async (address) => {
    const person = who();
    const path = filled(address);
    if ("loader" in MODULES[address])
      for (const query of ["", "?before=99", "?after=0", "?q=sanfona"]) {
        const answer = await routes.get({ person }, path + query);
        const text = await answer.text();
        expect(text.replaceAll('"query":"sanfona"', ""), path + query).not.toContain("sanfona");
        expect(text).not.toContain("event-chat%3A");
        expect(text).not.toContain(chatTopic(id));
      }
    const rows = () => world.ctx.db.select().from(messages).where(eq(messages.conversationId, id));
    const before = await rows();
    const fields = {
      text: "Sou eu",
      clientMessageId: "outsider-key",
      act: "accept",
      emoji: "👍",
      to: bia.username,
    };
    if ("action" in MODULES[address]) {
      await routes.post({ person }, path, fields);
      await routes.send(
        { person },
        path,
        json({ ...fields, account: person.id, space: person.id }),
      );
    }
    expect(await rows()).toEqual(before);
  });
});

test("even who has a seat cannot reach the chat as a conversation, nor put a file into it", async () => {
  for (const address of ADDRESSES.filter((one) => one.startsWith("messages/:id"))) {
    if (!("loader" in MODULES[address]) || address.endsWith("/act")) continue;
    const answer = await routes.get({ person: bia }, filled(address));
    expect([address, answer.status]).toEqual([address, 404]);
  }
  await expect(
    prepareMessageFiles(world.ctx, {
      conversationId: id,
      personId: bia.id,
      clientMessageId: world.ctx.newId(),
      uploaded: [],
      files: [{ file: new File([pdf()], "a.pdf", { type: "application/pdf" }), alt: "" }],
      isSensitive: false,
      recording: null,
      priceCents: null,
    }),
  ).rejects.toThrow(ConversationNotFound);
});

test("without JavaScript the form of the page sends, and a refusal keeps what was typed", async () => {
  const path = `/events/${id}/live`;
  const sent = await routes.post({ person: ana }, path, {
    text: "Pelo formulário",
    clientMessageId: "form-key-1",
  });
  expect([sent.status, sent.headers.get("Location")]).toEqual([303, `${path}#fim`]);
  expect((await texts(bia, id))?.at(-1)).toBe("Pelo formulário");
  const long = "a".repeat(501);
  const refused = await routes.post({ person: ana }, path, {
    text: long,
    clientMessageId: "form-key-2",
  });
  expect(refused.status).toBe(400);
  const answer = await refused.text();
  expect(answer).toContain("Use até 500 caracteres.");
  expect(answer).toContain(long);
});

test("without JavaScript a message is answered, reacted to and edited, and the video stays open", async () => {
  const path = `/events/${id}/live`;
  type Loaded = { chat: { replyTo: object | null; isVideoAsked: boolean } };
  const asked = await routes.read<Loaded>({ person: ana }, `${path}?video=1&reply=1`);
  expect(asked.chat).toMatchObject({
    replyTo: { seq: 1, text: "A senha é sanfona" },
    isVideoAsked: true,
  });
  const nothing = await routes.read<Loaded>({ person: ana }, `${path}?reply=999`);
  expect(nothing.chat.replyTo).toBeNull();
  const answered = await routes.post({ person: ana }, `${path}?video=1&reply=1`, {
    text: "Anotada",
    clientMessageId: "answer-key-1",
    replyTo: "1",
  });
  expect(answered.headers.get("Location")).toBe(`${path}?video=1#fim`);
  const seq = (await texts(ana, id))?.length ?? 0;
  expect(await seen(bia, id, seq)).toMatchObject({ text: "Anotada", replyTo: { seq: 1 } });

  const reacted = await routes.post({ person: bia }, `${path}/${seq}/reaction`, { emoji: "👍" });
  expect(reacted.headers.get("Location")).toBe(`${path}#m-${seq}`);
  const other = await routes.post({ person: bia }, `${path}/${seq}/reaction`, { emoji: "🪗" });
  expect(await other.text()).toContain("Escolha uma das reações.");
  expect((await seen(ana, id, seq))?.reactions).toEqual([{ emoji: "👍", count: 1, isOwn: false }]);

  expect((await routes.get({ person: bia }, `${path}/${seq}/edit`)).status).toBe(404);
  expect(await routes.read({ person: ana }, `${path}/${seq}/edit`)).toEqual({ text: "Anotada" });
  const long = "a".repeat(501);
  const refused = await routes.post({ person: ana }, `${path}/${seq}/edit`, { text: long });
  expect(await refused.text()).toContain(long);
  const edited = await routes.post({ person: ana }, `${path}/${seq}/edit`, { text: "Anotado" });
  expect(edited.headers.get("Location")).toBe(`${path}#m-${seq}`);
  expect(await seen(bia, id, seq)).toMatchObject({ text: "Anotado", isEdited: true });
});

test("an open page sends and hears by its own addresses", async () => {
  const open = await routes.read<{ chat: { revision: number } }>(
    { person: bia },
    `/events/${id}/live`,
  );
  const sent = await routes.send(
    { person: bia },
    `/events/${id}/live/send`,
    json({ account: bia.id, text: "No lugar", clientMessageId: "in-place-1", replyTo: 1 }),
  );
  const { seq } = await sent.json<{ seq: number }>();
  const { messages: changed, listenAt } = await routes.read<{
    messages: { seq: number; clientMessageId: string; replyTo: { seq: number } | null }[];
    listenAt: string;
  }>({ person: bia }, `/events/${id}/live/changes?after=${open.chat.revision}`);
  expect(changed).toMatchObject([{ seq, clientMessageId: "in-place-1", replyTo: { seq: 1 } }]);
  expect(decodeURIComponent(listenAt)).toContain(chatTopic(id));
  const other = json({ account: eve.id, text: "Oi", clientMessageId: "in-place-2" });
  expect((await routes.send({ person: bia }, `/events/${id}/live/send`, other)).status).toBe(401);
});

test("a message is reported by who can read it, and its copy leads to the chat", async () => {
  const subject = {
    kind: "message" as const,
    id: messageSubjectId({ conversationId: id, seq: 1 }),
  };
  const report = (reporter: { id: string }) =>
    reported(world.ctx, reporter as TestPerson, { subject, reason: "harassment" });
  await expect(report(eve)).rejects.toThrow(SubjectNotFound);
  await expect(report(bia)).rejects.toThrow(CannotReportOwn);
  expect(await report(ana)).toMatchObject({ isNew: true });
  const now = await subjectNow(world.ctx, subject);
  if (!now) throw new Error("no subject");
  expect(subjectPath(subject, now.evidence)).toBe(`/events/${id}/live#m-1`);
});
