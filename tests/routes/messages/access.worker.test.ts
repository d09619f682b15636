import { beforeAll, describe, expect, test } from "vitest";
import * as messages from "#app/routes/home/messages.tsx";
import * as act from "#app/routes/messages/act.tsx";
import * as changes from "#app/routes/messages/changes.ts";
import * as conversation from "#app/routes/messages/conversation.tsx";
import * as conversationSearch from "#app/routes/messages/conversation-search.tsx";
import * as link from "#app/routes/messages/link.tsx";
import * as messageDeletion from "#app/routes/messages/message-deletion.tsx";
import * as messageEdit from "#app/routes/messages/message-edit.tsx";
import * as messageReaction from "#app/routes/messages/message-reaction.tsx";
import * as newMessage from "#app/routes/messages/new.tsx";
import * as presence from "#app/routes/messages/presence.ts";
import * as send from "#app/routes/messages/send.ts";
import type { Message } from "#app/domain/messages/schema.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";

const routes = callRoutesAs([
  { path: "messages", module: messages },
  { path: "messages/new/:username", module: newMessage },
  { path: "messages/link", module: link },
  { path: "messages/:id", module: conversation },
  { path: "messages/:id/act", module: act },
  { path: "messages/:id/search", module: conversationSearch },
  { path: "messages/:id/presence", module: presence },
  { path: "messages/:id/changes", module: changes },
  { path: "messages/:id/send", module: send },
  { path: "messages/:id/:seq/edit", module: messageEdit },
  { path: "messages/:id/:seq/deletion", module: messageDeletion },
  { path: "messages/:id/:seq/reaction", module: messageReaction },
]);

let world: World;
let ana: Seller;
let bia: TestPerson;
let eve: TestPerson;
let id: string;
const { open, read, write } = messageHelpers(() => world);

beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  [bia, eve] = [await createPerson(world.ctx, "Bia"), await createPerson(world.ctx, "Eva")];
  id = await open(bia, ana);
});

/** The status of an answer, or of what was thrown. */
async function statusOf(answer: Promise<Response>): Promise<number> {
  return (await answer).status;
}
const key = () => world.ctx.newId();

describe("somebody outside a conversation", () => {
  test("gets 404 at every address that reads it, and no text of it anywhere", async () => {
    const outsider = { person: eve };
    for (const path of [
      `/messages/${id}`,
      `/messages/${id}?before=99`,
      `/messages/${id}/changes?after=0`,
      `/messages/${id}/search?q=oi`,
      `/messages/${id}/1/edit`,
      `/messages/${id}/1/deletion`,
    ]) {
      const answer = await routes.get(outsider, path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(await answer.text()).not.toContain("Oi");
    }
    for (const path of ["/messages", "/messages?filter=requests", "/messages?q=oi"])
      expect(await (await routes.get(outsider, path)).text()).not.toContain(id);
  });

  test("is refused by every action, and changes nothing", async () => {
    const before = await read(ana, id);
    for (const [path, fields] of [
      [`/messages/${id}`, { text: "Sou eu", clientMessageId: key() }],
      [`/messages/${id}/act`, { act: "accept" }],
      [`/messages/${id}/1/edit`, { text: "Mudei" }],
      [`/messages/${id}/1/deletion`, {}],
      [`/messages/${id}/1/reaction`, { emoji: "👍" }],
    ] as const)
      expect([path, await statusOf(routes.post({ person: eve }, path, fields))]).toEqual([
        path,
        404,
      ]);
    expect(await read(ana, id)).toEqual(before);
  });
});

describe("a person of the conversation", () => {
  test("reads it and answers by the plain form, and a repeated form sends once", async () => {
    const clientMessageId = key();
    const post = () =>
      routes.post({ person: bia }, `/messages/${id}`, { text: " De novo ", clientMessageId });
    const [first, second] = [await post(), await post()];
    expect([first.status, second.status]).toEqual([302, 302]);
    expect(first.headers.get("Location")).toBe(`/messages/${id}#fim`);
    const page = await routes.read<{ messages: Message[] }>({ person: ana }, `/messages/${id}`);
    expect(page.messages.map(({ text }) => text)).toEqual(["Oi", "De novo"]);
  });

  test("an empty text is refused beside its field", async () => {
    const answer = await routes.post({ person: bia }, `/messages/${id}`, {
      text: "  ",
      clientMessageId: key(),
    });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { errors: { text: "Escreva a sua mensagem." } },
    ]);
  });

  test("an open page hears that a request was accepted, and may be written in again", async () => {
    const [creator, caio] = [await createSeller(world.ctx), await createPerson(world.ctx, "Caio")];
    for (const text of ["um", "dois"]) await write(caio, creator, text);
    const { conversationId } = await write(caio, creator, "três");
    const path = `/messages/${conversationId}/changes?after=0`;
    const of = async (person: TestPerson) => await (await routes.get({ person }, path)).json();
    expect(await of(caio)).toMatchObject({
      box: "inbox",
      closed: "O seu pedido foi enviado. Espere a resposta para escrever mais.",
    });
    expect(await of(creator)).toMatchObject({ box: "request", closed: null });
    await routes.post({ person: creator }, `/messages/${conversationId}/act`, { act: "accept" });
    expect(await of(caio)).toMatchObject({ box: "inbox", closed: null });
    expect(await of(creator)).toMatchObject({ box: "inbox", closed: null });
  });

  test("an answer names a message that the page does not show", async () => {
    const page = (reply: number) =>
      routes.read<{ replyTo: { seq: number; text: string } | null }>(
        { person: ana },
        `/messages/${id}?before=1&reply=${reply}`,
      );
    expect((await page(1)).replyTo).toEqual({ seq: 1, text: "Oi" });
    expect((await page(999)).replyTo).toBeNull();
  });

  test("the address of a person leads to the conversation with them", async () => {
    const answer = await routes.get({ person: bia }, `/messages/new/${ana.username}`);
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, `/messages/${id}`]);
  });
});

test("a team answers in its page's name; inside the team it is shown who wrote, outside it is not", async () => {
  const team = await createTeamFor(world.ctx, ana);
  const [writer, ruth, guest] = [
    await createTeammate(world.ctx, team, "basic_member", { name: "Lúcia" }),
    await createTeammate(world.ctx, team, "basic_member", { name: "Rute" }),
    await createTeammate(world.ctx, team, "guest_member", { name: "Caio" }),
  ];
  const acting = (person: TestPerson): ActingCaller => ({ person, teamId: team.teamId });
  await write(bia, ana, "Tem ingresso?");
  const answered = await routes.post(acting(writer), `/messages/${id}`, {
    text: "Tem, sim!",
    clientMessageId: key(),
    space: ana.id,
  });
  expect(answered.status).toBe(302);
  const last = async (caller: ActingCaller) =>
    (await routes.read<{ messages: Message[] }>(caller, `/messages/${id}`)).messages.at(-1);
  const answer = await last(acting(writer));
  expect(answer).toMatchObject({ text: "Tem, sim!", writtenBy: "Lúcia" });
  expect(await last({ person: ana })).toMatchObject({ isOwn: true, writtenBy: "Lúcia" });
  expect(await last({ person: bia })).toMatchObject({ isOwn: false, writtenBy: null });
  const edited = await routes.post(acting(ruth), `/messages/${id}/${answer?.seq}/edit`, {
    text: "Tem sim!",
    space: ana.id,
  });
  expect(edited.status).toBe(302);
  expect(await last({ person: ana })).toMatchObject({ text: "Tem sim!", writtenBy: "Rute" });
  expect(await statusOf(routes.get(acting(guest), `/messages/${id}`))).toBe(403);
  expect(
    await statusOf(
      routes.post(acting(guest), `/messages/${id}`, {
        text: "Oi",
        clientMessageId: key(),
        space: ana.id,
      }),
    ),
  ).toBe(403);
});

test("a search in a conversation finds only its messages, with accents or without", async () => {
  const [creator, caio] = [await createSeller(world.ctx), await createPerson(world.ctx, "Caio")];
  const [one, other] = [await open(caio, creator), await open(caio, ana)];
  await write(caio, creator, "Amanhã tem ensaio?");
  await write(caio, ana, "Amanhã não vou");
  const found = async (conversationId: string, query: string) =>
    (
      await routes.read<{ found: { name: string; text: string; path: string }[] }>(
        { person: caio },
        `/messages/${conversationId}/search?${new URLSearchParams({ q: query })}`,
      )
    ).found;
  expect(await found(one, "amanha")).toMatchObject([
    { name: "Você", text: "Amanhã tem ensaio?", path: `/messages/${one}?before=3#m-2` },
  ]);
  expect(await found(other, "amanha")).toMatchObject([{ text: "Amanhã não vou" }]);
  expect(await found(one, "")).toEqual([]);
});

test("an outsider learns nothing of who is here, and cannot say that they type", async () => {
  expect((await routes.get({ person: eve }, `/messages/${id}/presence`)).status).toBe(404);
  expect((await routes.post({ person: eve }, `/messages/${id}/presence`, {})).status).toBe(404);
  expect((await routes.get({ person: bia }, `/messages/${id}/presence`)).status).toBe(200);
  expect((await routes.post({ person: bia }, `/messages/${id}/presence`, {})).status).toBe(204);
});

describe("the question before a link", () => {
  const at = (to: string) =>
    routes.get({ person: bia }, `/messages/link?${new URLSearchParams({ to })}`);

  test.each([
    ["https://exemplo.com/a?b=1", "exemplo.com"],
    ["http://coreto.com.br@exemplo.com/", "exemplo.com"],
  ])("%s names the site %s", async (to, host) => {
    expect(await (await at(to)).json()).toMatchObject({ host });
  });

  test.each(["/explore?q=1#a", "//outro.exemplo/entrar"])(
    "is not asked for our own page %s, which stays on our own site",
    async (path) => {
      const own = world.ctx.settings.appOrigin + path;
      const answer = await at(own);
      expect([answer.status, answer.headers.get("Location")]).toEqual([302, own]);
    },
  );

  test.each(["", "/explore", "javascript:alert(1)", "data:text/html,oi"])(
    "%j is no link",
    async (to) => {
      expect((await at(to)).status).toBe(404);
    },
  );
});
