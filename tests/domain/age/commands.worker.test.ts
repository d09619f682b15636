import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { RuleViolation } from "#app/db/errors.ts";
import {
  startAgeCheck,
  eraseAgeCheckStatement,
  settleAgeCheck,
} from "#app/domain/age/commands.server.ts";
import { AdultSpacesOff, AgeCheckNotStarted, TooManyAgeChecks } from "#app/domain/age/errors.ts";
import {
  erasePersonStatements,
  deletionRequestedStatement,
} from "#app/domain/identity/account-status/commands/deletion.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { ageChecks } from "#drizzle/schema/age.ts";
import { people } from "#drizzle/schema/identity.ts";
import { passAgeCheck, ageCheckReference } from "#tests/support/age.ts";
import { testClock } from "#tests/support/clock.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson } from "#tests/support/people.ts";

let world: World;
beforeAll(async () => {
  world = await testContext({ adultSpaces: true });
});

const begin = (personId: string) =>
  startAgeCheck(world.ctx, {
    personId,
    returnTo: `${world.ctx.settings.appOrigin}/age-check/answer`,
  });
const settle = (personId: string, reference: string) =>
  settleAgeCheck(world.ctx, { personId, reference });
const savedChecks = async (personId: string) => {
  const [row] = await world.ctx.db.select().from(ageChecks).where(eq(ageChecks.personId, personId));
  const [one] = await world.ctx.db
    .select({ ageCheckedAt: people.ageCheckedAt })
    .from(people)
    .where(eq(people.id, personId));
  return { ...row, ageCheckedAt: one?.ageCheckedAt };
};

test("a positive result is saved with its time and provider, and nothing else", async () => {
  const bruno = await createPerson(world.ctx, "Bruno");
  expect(await passAgeCheck(world.ctx, bruno)).toBe("yes");
  const { answer, provider, answeredAt, ageCheckedAt, ...rest } = await savedChecks(bruno.id);
  expect({ answer, provider, ageCheckedAt }).toEqual({
    answer: "yes",
    provider: "local",
    ageCheckedAt: answeredAt,
  });
  expect(Object.keys(rest).toSorted()).toEqual(["begunAt", "expiresAt", "id", "personId"]);
  await expect(begin(bruno.id)).rejects.toBeInstanceOf(AgeCheckNotStarted);
});

test("a negative result is saved with its time, and allows no new check within a day", async () => {
  const bia = await createPerson(world.ctx, "Bia");
  expect(await passAgeCheck(world.ctx, bia, false)).toBe("no");
  expect(await savedChecks(bia.id)).toMatchObject({ answer: "no", ageCheckedAt: null });
  await expect(begin(bia.id)).rejects.toThrow("A verificação respondeu que não.");
  await world.advance(DAY_MS + 1);
  expect(await passAgeCheck(world.ctx, bia)).toBe("yes");
});

test("returning twice with one result saves it once", async () => {
  const caio = await createPerson(world.ctx, "Caio");
  const reference = await ageCheckReference(await begin(caio.id), true);
  expect(await settle(caio.id, reference)).toBe("yes");
  const first = await savedChecks(caio.id);
  expect(await settle(caio.id, reference)).toBe("yes");
  expect(await savedChecks(caio.id)).toEqual(first);
});

test("a positive result is valid only for its member, and another's reference does not replace a negative one", async () => {
  const [adult, young] = [
    await createPerson(world.ctx, "Adulta"),
    await createPerson(world.ctx, "Jovem"),
  ];
  const borrowed = await ageCheckReference(await begin(adult.id), true);
  await begin(young.id);
  expect(await settle(young.id, borrowed)).toBe("unknown");
  const address = await begin(young.id);
  const [no, yes] = [
    await ageCheckReference(address, false),
    await ageCheckReference(address, true),
  ];
  expect(await settle(young.id, no)).toBe("no");
  expect(await settle(young.id, yes)).toBe("unknown");
  expect((await savedChecks(young.id)).ageCheckedAt).toBeNull();
});

test("a result of an earlier or expired check is ignored", async () => {
  const davi = await createPerson(world.ctx, "Davi");
  const before = await ageCheckReference(await begin(davi.id), true);
  const late = await ageCheckReference(await begin(davi.id), true);
  expect(await settle(davi.id, before)).toBe("unknown");
  await world.advance(2 * HOUR_MS);
  expect(await settle(davi.id, late)).toBe("unknown");
  expect((await savedChecks(davi.id)).answer).toBeNull();
});

test("a member who declared to be under 18 cannot start a check", async () => {
  const eva = await createPerson(world.ctx, "Eva");
  await world.ctx.db
    .update(people)
    .set({ birthDate: `${testClock.date().getFullYear() - 17}-01-01` })
    .where(eq(people.id, eva.id));
  await expect(begin(eva.id)).rejects.toThrow("ainda não tem 18 anos");
  expect((await savedChecks(eva.id)).id).toBeUndefined();
});

test("a member can start ten checks a day, whatever their results", async () => {
  const fabi = await createPerson(world.ctx, "Fabi");
  for (let tries = 0; tries < 10; tries += 1) await begin(fabi.id);
  await expect(begin(fabi.id)).rejects.toBeInstanceOf(TooManyAgeChecks);
});

test("concurrent results are saved once", async () => {
  const gil = await createPerson(world.ctx, "Gil");
  const reference = await ageCheckReference(await begin(gil.id), true);
  expect(await Promise.all([settle(gil.id, reference), settle(gil.id, reference)])).toEqual([
    "yes",
    "yes",
  ]);
  expect(await savedChecks(gil.id)).toMatchObject({ answer: "yes" });
});

test("the database refuses an adult without a positive check, and any change of a positive check", async () => {
  const hugo = await createPerson(world.ctx, "Hugo");
  const declared = world.ctx.db
    .update(people)
    .set({ ageCheckedAt: 1 })
    .where(eq(people.id, hugo.id));
  await expect(commit(world.ctx.db, [declared])).rejects.toBeInstanceOf(RuleViolation);
  await expect(
    commit(world.ctx.db, [
      world.ctx.db.insert(ageChecks).values({
        personId: hugo.id,
        id: "made-up",
        provider: "x",
        begunAt: 1,
        expiresAt: 2,
        answer: "yes",
        answeredAt: 1,
      }),
    ]),
  ).rejects.toBeInstanceOf(RuleViolation);
  await passAgeCheck(world.ctx, hugo, false);
  await expect(commit(world.ctx.db, [declared])).rejects.toBeInstanceOf(RuleViolation);
  const iris = await createPerson(world.ctx, "Íris");
  await passAgeCheck(world.ctx, iris);
  await expect(
    commit(world.ctx.db, [
      world.ctx.db.update(ageChecks).set({ answer: "no" }).where(eq(ageChecks.personId, iris.id)),
    ]),
  ).rejects.toBeInstanceOf(RuleViolation);
});

test("account deletion erases the age check", async () => {
  const kai = await createPerson(world.ctx, "Kai");
  await passAgeCheck(world.ctx, kai);
  await commit(world.ctx.db, [deletionRequestedStatement(world.ctx, { personId: kai.id })]);
  await commit(world.ctx.db, [
    ...erasePersonStatements(world.ctx, { personId: kai.id }),
    eraseAgeCheckStatement(world.ctx, { personId: kai.id }),
  ]);
  expect(await savedChecks(kai.id)).toEqual({ ageCheckedAt: null });
});

test("no check starts while adult spaces are disabled", async () => {
  const off = await testContext();
  const joca = await createPerson(off.ctx, "Joca");
  await expect(startAgeCheck(off.ctx, { personId: joca.id, returnTo: "x" })).rejects.toBeInstanceOf(
    AdultSpacesOff,
  );
  await expect(
    settleAgeCheck(off.ctx, { personId: joca.id, reference: "x" }),
  ).rejects.toBeInstanceOf(AdultSpacesOff);
});
