import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { FirstStep } from "#app/domain/plans/first-steps/rules.ts";
import * as me from "#app/routes/space/me.tsx";
import * as firstSteps from "#app/routes/studio/space/first-steps.tsx";
import { documentFiles } from "#drizzle/schema/documents.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller, insertDocumentFiles } from "#tests/support/people.ts";
import { soldPost } from "#tests/support/purchases.ts";

const routes = callRoutesAs([
  { path: "me", module: me },
  { path: "me/first-steps", module: firstSteps },
]);

let world: World;
beforeAll(async () => {
  world = await testContext();
});

const doneOf = (steps: FirstStep[] | null) =>
  steps?.filter(({ isDone }) => isDone).map(({ key }) => key);

test("the list follows what the page has", async () => {
  const ana = await createSeller(world.ctx);
  const asked = { person: ana, isCreator: true };
  const read = async () =>
    doneOf((await routes.read<{ firstSteps: FirstStep[] }>(asked, "/me")).firstSteps);
  const before = await read();
  expect(before).toContain("plan");
  expect(before).not.toContain("post");
  await soldPost(world.ctx, ana);
  expect(await read()).toEqual(expect.arrayContaining(["post", "payout_method"]));
});

test("documents are done when every file of theirs came", async () => {
  const ana = await createSeller(world.ctx, { approved: false });
  const asked = { person: ana, isCreator: true };
  const read = async () =>
    doneOf((await routes.read<{ steps: FirstStep[] }>(asked, "/me/first-steps")).steps);
  expect(await read()).not.toContain("documents");
  await world.ctx.db.insert(documentFiles).values({
    id: world.ctx.newId(),
    personId: ana.id,
    kind: "selfie",
    contentType: "image/webp",
    sizeBytes: 1,
    state: "kept",
    createdAt: world.ctx.now(),
  });
  expect(await read(), "one of two files").not.toContain("documents");
  await world.ctx.db.delete(documentFiles).where(eq(documentFiles.personId, ana.id));
  await insertDocumentFiles(world.ctx, ana.id);
  expect(await read()).toContain("documents");
});

test("the creator hides the list, and shows it again", async () => {
  const ana = await createSeller(world.ctx);
  const asked = { person: ana, isCreator: true };
  const isShown = async () =>
    (await routes.read<{ firstSteps: unknown }>(asked, "/me")).firstSteps !== null;
  expect(await isShown()).toBe(true);
  await routes.post(asked, "/me/first-steps", { closed: "true" });
  expect(await isShown()).toBe(false);
  await routes.post(asked, "/me/first-steps", { closed: "false" });
  expect(await isShown()).toBe(true);
});

test("who has no page has no list", async () => {
  const fan = await createPerson(world.ctx);
  const page = await routes.read<{ firstSteps: unknown }>({ person: fan }, "/me");
  expect(page.firstSteps).toBeNull();
  expect((await routes.get({ person: fan }, "/me/first-steps")).status).toBe(404);
});
