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
const { write, texts } = chatHelpers(() => world);

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

test("an open page sends and hears by its own addresses", async () => {
  const sent = await routes.send(
    { person: bia },
    `/events/${id}/live/send`,
    json({ account: bia.id, text: "No lugar", clientMessageId: "in-place-1" }),
  );
  const { seq } = await sent.json<{ seq: number }>();
  const { messages: changed, listenAt } = await routes.read<{
    messages: { seq: number; clientMessageId: string }[];
    listenAt: string;
  }>({ person: bia }, `/events/${id}/live/changes?after=${seq - 1}`);
  expect(changed).toMatchObject([{ seq, clientMessageId: "in-place-1" }]);
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
