import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { appealDecision, decideAppeal } from "#app/domain/moderation/appeals/commands.server.ts";
import { banPerson, unbanPerson } from "#app/domain/moderation/commands/bans.server.ts";
import * as appeal from "#app/routes/reports/appeal.tsx";
import { people } from "#drizzle/schema/identity.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createModerator, createPerson } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { appealAddress, claimedAndDecided, reported } from "#tests/support/reports.ts";

const routes = callRoutesAs([{ path: "appeal/:caseId/:signature", module: appeal }]);

let world: World;
let bia: TestPerson;
let carla: TestPerson;
let davi: TestPerson;
beforeAll(async () => {
  world = await testContext();
  bia = await createPerson(world.ctx, "Bia");
  carla = await createModerator(world.ctx);
  davi = await createModerator(world.ctx);
});

/** A person whom the decision of a report banned, and its case. */
async function banned(): Promise<{ author: TestPerson; caseId: string }> {
  const author = await createPerson(world.ctx);
  const { caseId } = await reported(world.ctx, bia, {
    subject: { kind: "profile", id: author.id },
  });
  await claimedAndDecided(world.ctx, { caseId, moderator: carla, decision: "ban" });
  return { author, caseId };
}
const unban = ({ id: personId }: TestPerson) =>
  unbanPerson(world.ctx, { moderatorId: davi.id, personId });
const ban = ({ id: personId }: TestPerson) =>
  banPerson(world.ctx, { moderatorId: davi.id, personId, reason: "Outro motivo." });
const isBanned = async ({ id }: TestPerson) =>
  (await world.ctx.db.select().from(people).where(eq(people.id, id)))[0]?.bannedAt !== null;
async function reverse(caseId: string): Promise<void> {
  const address = await appealAddress(world.ctx, caseId);
  await appealDecision(world.ctx, { ...address, text: "Não fui eu." });
  await decideAppeal(world.ctx, {
    caseId,
    moderatorId: davi.id,
    outcome: "reversed",
    reason: "Conferido.",
  });
}

test("the page of an appeal says that a ban was ended by hand", async () => {
  const { author, caseId } = await banned();
  const { signature } = await appealAddress(world.ctx, caseId);
  const effect = async () =>
    (await routes.read<{ effect: string }>({ person: author }, `/appeal/${caseId}/${signature}`))
      .effect;
  expect(await effect()).toContain("A sua página não aparece");
  await unban(author);
  expect(await effect()).toMatch(/A moderação já encerrou este banimento/);
});

test("the reversal of a ban that was ended by hand leaves a later ban of another reason", async () => {
  const { author, caseId } = await banned();
  await unban(author);
  await ban(author);
  await reverse(caseId);
  expect(await isBanned(author)).toBe(true);
});

test("a ban that was ended by hand keeps nobody out when another decision is reversed", async () => {
  const { author, caseId } = await banned();
  await unban(author);
  const { caseId: later } = await reported(world.ctx, carla, {
    subject: { kind: "profile", id: author.id },
  });
  await claimedAndDecided(world.ctx, { caseId: later, moderator: davi, decision: "ban" });
  await decideReversal(later);
  expect([await isBanned(author), caseId === later]).toEqual([false, false]);

  async function decideReversal(id: string): Promise<void> {
    const address = await appealAddress(world.ctx, id);
    await appealDecision(world.ctx, { ...address, text: "Não fui eu." });
    const another = await createModerator(world.ctx);
    await decideAppeal(world.ctx, {
      caseId: id,
      moderatorId: another.id,
      outcome: "reversed",
      reason: "Conferido.",
    });
  }
});

test("a reversed ban without an end by hand lets the person in", async () => {
  const { author, caseId } = await banned();
  await reverse(caseId);
  expect(await isBanned(author)).toBe(false);
});
