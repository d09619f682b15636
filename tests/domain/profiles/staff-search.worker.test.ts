import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { peopleForStaff } from "#app/domain/profiles/queries/staff-search.server.ts";
import { billingDetails } from "#drizzle/schema/billing.ts";
import { people } from "#drizzle/schema/identity.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, saveCpf } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

let world: World;
let joana: TestPerson;
let other: TestPerson;

beforeAll(async () => {
  world = await testContext();
  joana = await createPerson(world.ctx, "Joana Prates");
  other = await createPerson(world.ctx, "Joana Alves");
  await createPerson(world.ctx, "100% Rabeca");
  await saveCpf(world.ctx, joana);
});

const found = async (text: string) =>
  (await peopleForStaff(world.ctx, { text, limit: 10 })).map(({ name }) => name);

test("the staff finds a person by name, email, username or CPF", async () => {
  expect(await found("joana")).toEqual(["Joana Alves", "Joana Prates"]);
  expect(await found("  Prates ")).toEqual(["Joana Prates"]);
  expect(await found(joana.email.toUpperCase())).toEqual(["Joana Prates"]);
  expect(await found(`@${other.username}`)).toEqual(["Joana Alves"]);
  const [details] = await world.ctx.db
    .select({ taxId: billingDetails.taxId })
    .from(billingDetails)
    .where(eq(billingDetails.personId, joana.id));
  const cpf = details?.taxId ?? "";
  const dotted = cpf.replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, "$1.$2.$3-$4");
  expect(await found(cpf)).toContain("Joana Prates");
  expect(await found(dotted)).toContain("Joana Prates");
});

test("an exact username comes before names that contain it, and signs are only signs", async () => {
  await world.ctx.db
    .update(profiles)
    .set({ username: "alves" })
    .where(eq(profiles.personId, joana.id));
  expect(await found("alves")).toEqual(["Joana Prates", "Joana Alves"]);
  expect(await found("100%")).toEqual(["100% Rabeca"]);
  expect(await found("%%")).toEqual([]);
  expect(await found("x")).toEqual([]);
});

test("a name is found with and without its accents", async () => {
  await createPerson(world.ctx, "Érica Conceição");
  for (const typed of ["erica", "Érica", "ÉRICA", "conceicao", "conceição"])
    expect(await found(typed)).toEqual(["Érica Conceição"]);
});

test("a suspended person is found", async () => {
  await world.ctx.db
    .update(people)
    .set({ bannedAt: world.ctx.now() })
    .where(eq(people.id, other.id));
  expect(await found(other.email)).toEqual(["Joana Alves"]);
});
