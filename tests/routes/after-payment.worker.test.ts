import { beforeEach, expect, test } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { pinPost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import * as chargePage from "#app/routes/checkout/charge.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { publishInCollection } from "#tests/support/collections.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank, pixCheckout } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});

const inWorld: MiddlewareFunction = ({ context }) => {
  context.set(domainContext, world.ctx);
};
const routes = callRoutesAs([
  { path: "checkout/:chargeId", module: chargePage, middleware: [inWorld] },
]);

type Shown = {
  isWelcome: boolean;
  welcomeMessage: string;
  firstPost: { path: string; title: string } | null;
  people: { id: string }[];
};
const shown = async (chargeId: string) =>
  await routes.read<Shown>({ person: bruno }, `/checkout/${chargeId}`);

async function paid(): Promise<string> {
  const { chargeId, providerChargeId } = await pixCheckout(world, bruno, ana);
  await payAtBank(world, { providerChargeId });
  await world.drain();
  return chargeId;
}

test("before the payment nothing of it is read", async () => {
  await publishInCollection(world.ctx, ana, "Ensaio", "subscribers");
  const { chargeId } = await pixCheckout(world, bruno, ana);
  expect(await shown(chargeId)).toMatchObject({
    isWelcome: false,
    welcomeMessage: "",
    firstPost: null,
    people: [],
  });
});

test("after it come the welcome message, the latest post for subscribers, and a pinned one before it", async () => {
  const first = await publishInCollection(world.ctx, ana, "Ensaio", "subscribers");
  await publishInCollection(world.ctx, ana, "Aberta", "public");
  const chargeId = await paid();
  expect(await shown(chargeId)).toMatchObject({
    isWelcome: true,
    welcomeMessage: "Que bom que você veio!",
    firstPost: { path: `/post/${first}`, title: "Ensaio" },
  });
  const pinned = await publishInCollection(world.ctx, ana, "Comece aqui", "public");
  await pinPost(world.ctx, { postId: pinned, authorId: ana.id });
  expect((await shown(chargeId)).firstPost?.path).toBe(`/post/${pinned}`);
});

test("a page without posts leads to none", async () => {
  expect((await shown(await paid())).firstPost).toBeNull();
});

test("at most four creators are suggested, of those whom other followers follow", async () => {
  const others = await Promise.all(Array.from({ length: 5 }, () => createSeller(world.ctx)));
  const fan = await createPerson(world.ctx, "Outra fã");
  for (const { id: creatorId } of [ana, ...others])
    await follow(world.ctx, { followerId: fan.id, creatorId });
  const { people } = await shown(await paid());
  expect(people).toHaveLength(4);
  for (const { id } of people) expect(others.map((other) => other.id)).toContain(id);
});
