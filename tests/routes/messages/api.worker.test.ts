import type { MiddlewareFunction } from "react-router";
import { beforeAll, expect, test } from "vitest";
import { API_SCOPES } from "#app/domain/identity/api-keys/schema.ts";
import type { ApiScope } from "#app/domain/identity/api-keys/schema.ts";
import { sendMessage } from "#app/domain/messages/commands.server.ts";
import { prepareMessageFiles } from "#app/domain/messages/commands/files.server.ts";
import { keyScopesContext, viewerContext } from "#app/http/contexts.ts";
import { openApiDocument } from "#app/http/api/openapi.ts";
import * as conversation from "#app/routes/api/conversation.ts";
import * as conversationFiles from "#app/routes/api/conversation-files.ts";
import * as conversations from "#app/routes/api/conversations.ts";
import { createRouteCaller, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pdf } from "#tests/support/media-files.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { paidPurchase } from "#tests/support/purchases.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ana: Seller;
let bia: TestPerson;
let id: string;
const { open, read } = messageHelpers(() => world);
/** Who the next call's key belongs to, and what it allows. */
let caller: { person: TestPerson; scopes: readonly ApiScope[] } | null = null;

const recognise: MiddlewareFunction<Response> = ({ context }) => {
  context.set(
    viewerContext,
    caller && {
      ...caller.person,
      avatarUrl: null,
      isCreator: false,
      isModerator: false,
      leavingAt: null,
    },
  );
  context.set(keyScopesContext, caller?.scopes ?? null);
};
const middleware = [recognise as MiddlewareFunction];
const ask = createRouteCaller(
  [
    { path: "api/v1/conversations", module: conversations, middleware },
    { path: "api/v1/conversations/:id", module: conversation, middleware },
    { path: "api/v1/conversations/:id/files", module: conversationFiles, middleware },
  ],
  { ...testEnv, UNCOMPLETED_FEATURES: "true" },
);
async function call(
  person: TestPerson | null,
  path: string,
  body?: Record<string, unknown>,
  scopes: readonly ApiScope[] = ["messages"],
) {
  caller = person && { person, scopes };
  const answer = await ask(
    new Request(`${TEST_ORIGIN}/api/v1/conversations${path}`, {
      headers: { "Content-Type": "application/json", Origin: TEST_ORIGIN },
      ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
    }),
  );
  return { status: answer.status, body: await answer.json<Record<string, unknown>>() };
}

beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bia = await createPerson(world.ctx, "Bia");
  id = await open(bia, ana);
});

test("a key with the scope lists, reads and sends, and a repeated send is stored once", async () => {
  const message = { text: "Pela API", clientMessageId: "api-message-1", replyTo: 1 };
  const sent = await call(bia, `/${id}`, message);
  expect(sent).toEqual({ status: 200, body: { conversationId: id, seq: 2 } });
  expect(await call(bia, `/${id}`, message)).toEqual(sent);
  expect(
    await call(bia, "", { to: ana.username, text: "De novo", clientMessageId: "api-message-2" }),
  ).toEqual({ status: 200, body: { conversationId: id, seq: 3 } });
  expect((await call(ana, `/${id}?after=1`)).body).toMatchObject({
    items: [
      { seq: 2, text: "Pela API", isOwn: false, replyTo: 1 },
      { seq: 3, text: "De novo" },
    ],
  });
  expect((await call(ana, "")).body).toMatchObject({
    items: [{ id, user: { username: bia.username }, lastText: "De novo" }],
    next: null,
  });
});

test("files are uploaded one by one, sent together, and listed in their order", async () => {
  const ids: string[] = [];
  for (const name of ["a.pdf", "b.pdf"]) {
    const form = new FormData();
    form.set("file", new File([pdf()], name, { type: "application/pdf" }));
    caller = { person: bia, scopes: ["messages"] };
    const answer = await ask(
      new Request(`${TEST_ORIGIN}/api/v1/conversations/${id}/files`, {
        method: "POST",
        headers: { Origin: TEST_ORIGIN },
        body: form,
      }),
    );
    ids.push((await answer.json<{ id: string }>()).id);
  }
  const files = ids.toReversed().map((one) => ({ id: one, alt: "Recibo" }));
  const sent = { text: "", clientMessageId: "api-message-6", files };
  const { status, body } = await call(bia, `/${id}`, sent);
  expect(status).toBe(200);
  expect((await call(ana, `/${id}?after=${Number(body["seq"]) - 1}`)).body).toMatchObject({
    items: [
      {
        fileKind: "document",
        fileKinds: ["document", "document"],
        files: [
          { id: ids[1], filename: "b.pdf", alt: "Recibo", url: `/media/${ids[1]}/original` },
          { id: ids[0], filename: "a.pdf" },
        ],
      },
    ],
  });
  const eleven = Array.from({ length: 11 }, (_, at) => ({ id: `file-${at}` }));
  for (const wrong of [eleven, [{ id: "a" }, { id: "a" }]])
    expect(
      await call(bia, `/${id}`, { text: "", clientMessageId: "api-message-7", files: wrong }),
    ).toMatchObject({ status: 400, body: { field: "files" } });
});

test("files for sale are locked for the recipient until they are bought, which both sides read", async () => {
  const place = { conversationId: id, personId: ana.id, clientMessageId: world.ctx.newId() };
  const files = await prepareMessageFiles(world.ctx, {
    ...place,
    uploaded: [],
    files: [{ file: new File([pdf()], "partitura.pdf", { type: "application/pdf" }), alt: "" }],
    isSensitive: false,
    recording: null,
    priceCents: 2_000,
  });
  const { seq } = await sendMessage(world.ctx, { ...place, writtenById: null, text: "", files });
  const both = async () => {
    const answers = [];
    for (const person of [ana, bia])
      answers.push((await call(person, `/${id}?after=${seq - 1}&limit=1`)).body["items"]);
    return answers.flat();
  };
  const [sold] = await read(ana, id).then((all) => all.filter((one) => one.seq === seq));
  expect(await both()).toMatchObject([
    { priceCents: 2_000, isLocked: false, isBought: false, files: [{ kind: "document" }] },
    { priceCents: 2_000, isLocked: true, isBought: false, files: [] },
  ]);
  await paidPurchase(world, bia, sold?.id ?? "", "message");
  expect(await both()).toMatchObject([
    { isLocked: false, isBought: true, files: [{ kind: "document" }] },
    { isLocked: false, isBought: true, files: [{ kind: "document" }] },
  ]);
  expect((await call(bia, `/${id}?limit=1&before=2`)).body).toMatchObject({
    items: [{ seq: 1, priceCents: null, isLocked: false, isBought: null }],
  });
});

test("nobody else gets anything: no key, another scope, another person", async () => {
  const eve = await createPerson(world.ctx, "Eva");
  const before = await read(ana, id);
  const body = { text: "Oi", clientMessageId: "api-message-3" };
  const others = API_SCOPES.filter((scope) => scope !== "messages");
  const statuses = [];
  for (const [person, scopes] of [
    [null, []],
    [bia, others],
    [eve, ["messages"]],
  ] as const)
    statuses.push([
      (await call(person, `/${id}`, undefined, scopes)).status,
      (await call(person, `/${id}`, body, scopes)).status,
    ]);
  expect(statuses).toEqual([
    [401, 401],
    [403, 403],
    [404, 404],
  ]);
  expect((await call(eve, "")).body).toEqual({ items: [], next: null });
  expect(await read(ana, id)).toEqual(before);
});

test("bad input names its field", async () => {
  for (const [path, body, field] of [
    [`/${id}`, { text: " ", clientMessageId: "api-message-4" }, "text"],
    [`/${id}`, { text: "x", clientMessageId: "?" }, "clientMessageId"],
    ["", { text: "x", clientMessageId: "api-message-5" }, "to"],
    ["?limit=0", undefined, "limit"],
  ] as const)
    expect(await call(bia, path, body)).toMatchObject({ status: 400, body: { field } });
});

test("the document describes the calls", () => {
  const { paths } = openApiDocument({ baseUrl: "https://x.test", version: "1", hasEvents: false });
  expect(JSON.stringify(paths)).toContain("/conversations/{id}");
});
