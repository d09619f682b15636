import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import * as checkout from "#app/routes/checkout/checkout.tsx";
import * as list from "#app/routes/home/messages.tsx";
import * as paidMessage from "#app/routes/messages/paid-message.tsx";
import * as acting from "#app/routes/settings/teams/acting.tsx";
import { sendMessage } from "#app/domain/messages/commands.server.ts";
import { prepareMessageFiles } from "#app/domain/messages/commands/files.server.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { messages } from "#drizzle/schema/messages.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { createRouteCaller, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pdf } from "#tests/support/media-files.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { paidPurchase } from "#tests/support/purchases.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const DOORWAYS = [
  { path: "messages", module: list },
  { path: "messages/paid/:messageId", module: paidMessage },
  { path: "settings/teams/acting", module: acting },
];
const routes = callRoutesAs(DOORWAYS);

let world: World;
let ana: Seller;
let bia: TestPerson;
let teamId: string;
let conversationId: string;
let messageId: string;
const { open } = messageHelpers(() => world);

beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  const team = await createTeamFor(world.ctx);
  ({ teamId } = team);
  bia = await createTeammate(world.ctx, team);
  conversationId = await open(bia, ana);
  const place = { conversationId, personId: ana.id, clientMessageId: world.ctx.newId() };
  const files = await prepareMessageFiles(world.ctx, {
    ...place,
    uploaded: [],
    files: [{ file: new File([pdf()], "partitura.pdf", { type: "application/pdf" }), alt: "" }],
    isSensitive: false,
    recording: null,
    priceCents: 2_000,
  });
  await sendMessage(world.ctx, { ...place, writtenById: null, text: "A partitura", files });
  const [row] = await world.ctx.db
    .select({ id: messages.id })
    .from(messages)
    .where(eq(messages.clientMessageId, place.clientMessageId));
  messageId = row?.id ?? "";
  await paidPurchase(world, bia, messageId, "message");
});

test("who is signed out signs in before a message's checkout, and comes back to it", async () => {
  const visitor = createRouteCaller([{ path: "checkout", module: checkout }]);
  const answer = await visitor(new Request(`${TEST_ORIGIN}/checkout?message=${messageId}`));
  expect(answer.headers.get("Location")).toBe(
    `/auth/login?to=${encodeURIComponent(`/checkout?message=${messageId}`)}`,
  );
});

describe("the address of a bought message", () => {
  test("leads to it in the conversation", async () => {
    const answer = await routes.get({ person: bia }, `/messages/paid/${messageId}`);
    expect(answer.headers.get("Location")).toBe(`/messages/${conversationId}#m-2`);
  });

  test("shows the file to who acts for a team, and leads back to their own page and the message", async () => {
    const member = { person: bia, teamId };
    const here = `/messages/paid/${messageId}`;
    expect(await routes.read(member, here)).toMatchObject({
      bought: { files: [{ filename: "partitura.pdf" }] },
      isInConversation: true,
    });
    const answer = await routes.post(member, "/settings/teams/acting", { team: "", to: here });
    expect(answer.headers.get("Location")).toBe(here);
    const outside = await routes.post(member, "/settings/teams/acting", {
      team: "",
      to: "//elsewhere.example",
    });
    expect(outside.headers.get("Location")).toBe("/me");
  });

  test("shows the file across a block to its buyer alone", async () => {
    await block(world.ctx, { personId: ana.id, otherId: bia.id });
    const here = `/messages/paid/${messageId}`;
    expect(await routes.read({ person: bia }, here)).toMatchObject({
      bought: { files: [{ filename: "partitura.pdf" }] },
      isInConversation: false,
    });
    for (const person of [ana, await createPerson(world.ctx, "Eva")])
      expect((await routes.get({ person }, here)).status).toBe(404);
  });
});

test("searches over all conversations are limited; reading the list is not", async () => {
  const SEARCH_LIMITER = { limit: () => Promise.resolve({ success: false }) };
  const limited = callRoutesAs(DOORWAYS, { ...testEnv, SEARCH_LIMITER });
  expect((await limited.get({ person: bia }, "/messages?q=partitura")).status).toBe(429);
  expect((await limited.get({ person: bia }, "/messages")).status).toBe(200);
});
