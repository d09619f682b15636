import { beforeEach, expect, test } from "vitest";
import { eraseOwnedData } from "#app/domain/deletion/commands/erase.server.ts";
import { changeConversation } from "#app/domain/messages/commands/members.server.ts";
import { CannotWrite, ConversationNotFound } from "#app/domain/messages/errors.ts";
import { conversationWith } from "#app/domain/messages/queries.server.ts";
import { foundMessages, searchStatement } from "#app/domain/messages/queries/search.server.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { people } from "#drizzle/schema/identity.ts";
import { eq } from "drizzle-orm";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bia: TestPerson;
let id: string;
const { listed, open, read, write } = messageHelpers(() => world);
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bia = await createPerson(world.ctx, "Bia");
  id = await open(bia, ana);
  await write(ana, bia, "O segredo da rabeca");
});

async function deleted(person: TestPerson): Promise<void> {
  await world.ctx.db
    .update(people)
    .set({ leavingAt: world.ctx.now() })
    .where(eq(people.id, person.id));
  while (!(await eraseOwnedData(world.ctx, { personId: person.id })));
}
const found = async (person: TestPerson) =>
  foundMessages(
    await searchStatement(world.ctx, { personId: person.id, query: "segredo", limit: 9 }),
    person.id,
  );

test.each([
  ["who blocked", () => ({ gone: ana, left: bia, blocker: ana })],
  ["who was blocked", () => ({ gone: bia, left: ana, blocker: ana })],
] as const)(
  "the deletion of %s brings no conversation back for the other, anywhere",
  async (_, sides) => {
    const { gone, left, blocker } = sides();
    const blocked = blocker === gone ? left : gone;
    await block(world.ctx, { personId: blocker.id, otherId: blocked.id });
    await deleted(gone);
    for (const filter of ["inbox", "unread", "requests", "archived"] as const)
      expect(await listed(left, filter)).toEqual([]);
    const own = { conversationId: id, personId: left.id };
    expect(await conversationWith(world.ctx, { ...own, limit: 9 })).toBeNull();
    expect(await read(left, id)).toEqual([]);
    expect(await found(left)).toEqual([]);
    for (const act of ["accept", "unarchive", "unread"] as const)
      await expect(changeConversation(world.ctx, { ...own, act })).rejects.toThrow(
        ConversationNotFound,
      );
    await expect(write(left, gone, "Volta")).rejects.toThrow(CannotWrite);
  },
);

test("without a block the words stay for who was written to, and nobody writes any more", async () => {
  await deleted(ana);
  expect((await read(bia, id)).map(({ text }) => text)).toEqual(["Oi", "O segredo da rabeca"]);
  await expect(write(bia, ana, "Volta")).rejects.toThrow(CannotWrite);
});
