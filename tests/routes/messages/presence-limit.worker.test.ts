import { expect, test } from "vitest";
import * as presence from "#app/routes/messages/presence.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

test("questions about presence and notices of typing beyond a person's share are refused, for each member alone", async () => {
  const world = await testContext();
  const ana = await createSeller(world.ctx);
  const bia = await createPerson(world.ctx, "Bia");
  const id = await messageHelpers(() => world).open(bia, ana);
  const counts = new Map<string, number>();
  const PRESENCE_LIMITER = {
    limit: async ({ key }: { key: string }) => {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return { success: (counts.get(key) ?? 0) <= 2 };
    },
  };
  const routes = callRoutesAs([{ path: "messages/:id/presence", module: presence }], {
    ...testEnv,
    PRESENCE_LIMITER,
  });
  const path = `/messages/${id}/presence`;
  const statuses = [
    (await routes.get({ person: bia }, path)).status,
    (await routes.post({ person: bia }, path, {})).status,
    (await routes.get({ person: bia }, path)).status,
    (await routes.post({ person: bia }, path, {})).status,
    (await routes.get({ person: ana }, path)).status,
  ];
  expect(statuses).toEqual([200, 204, 429, 429, 200]);
});
