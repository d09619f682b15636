import { generateCpf } from "@brazilian-utils/brazilian-utils/generate-cpf";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { approveDocuments, rejectDocuments } from "#app/domain/documents/commands.server.ts";
import { forgetArchivedDocuments } from "#app/domain/documents/commands/erasure.server.ts";
import { askRegistry } from "#app/domain/documents/commands/registry.server.ts";
import { viewDocuments } from "#app/domain/documents/commands/views.server.ts";
import {
  DocumentsChanged,
  NotAModerator,
  NumberNotRegular,
  OwnDocuments,
  RegistrySilent,
} from "#app/domain/documents/errors.ts";
import { documentsOf, pendingDocuments } from "#app/domain/documents/queries.server.ts";
import { documentsToAsk } from "#app/domain/documents/queries/registry.server.ts";
import { numberStandings, queueWord } from "#app/domain/documents/rules/registry.ts";
import type { RegistryAnswer } from "#app/domain/documents/schema.ts";
import { submitSellerDetails } from "#app/domain/payouts/commands/withdrawal-method.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { documents, registryAnswers } from "#drizzle/schema/documents.ts";
import { runRenewals } from "#workers/renewals/run.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { meanwhile } from "#tests/support/meanwhile.ts";
import { moderatingColleague } from "#tests/support/teams.ts";
import { moderator, papersOf, person } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: TestPerson;
let carla: TestPerson;
let sent: { fullName: string; cpf: string; birthDate: string };
beforeEach(async () => {
  world = await testContext();
  ana = await person(world.ctx, "Ana");
  carla = await moderator(world.ctx);
  sent = { fullName: "Ana Maria Lira", cpf: generateCpf(), birthDate: "1990-01-31" };
  await submitSellerDetails(world.ctx, {
    personId: ana.id,
    ...sent,
    pixKey: { kind: "email", key: ana.email },
  });
  await papersOf(world.ctx, ana.id);
});

/** The same product with a registry that says this of every number. */
const where = (answer: RegistryAnswer | null): Context => ({
  ...world.ctx,
  registry: { name: "test", ask: async () => answer },
});
const decider = () => ({ moderatorId: carla.id, personId: ana.id });
const answers = () =>
  world.ctx.db
    .select()
    .from(registryAnswers)
    .where(eq(registryAnswers.personId, ana.id))
    .orderBy(registryAnswers.answeredAt);
const standing = async () => (await documentsOf(world.ctx, { personId: ana.id }))?.status;
const toAsk = async () =>
  (await documentsToAsk(world.ctx, { now: world.ctx.now(), limit: 100 })).filter(
    (id) => id === ana.id,
  );
const word = async () =>
  queueWord(
    (
      await pendingDocuments(world.ctx, { moderatorId: carla.id, cursor: null, limit: 100 })
    ).items.find(({ personId }) => personId === ana.id)?.numbers ?? [],
  );

test("the calendar asks once, without anybody, and the moderator sees the answer with its day and source", async () => {
  expect([await word(), await toAsk()]).toEqual(["unasked", [ana.id]]);
  await runRenewals(where({ situation: "regular", name: "BRUNO PAZ" }));
  expect(await toAsk()).toEqual([]);
  await runRenewals(where({ situation: "dead", name: null }));
  expect(await answers()).toMatchObject([
    { situation: "regular", name: "BRUNO PAZ", source: "test", askedBy: null, taxId: sent.cpf },
  ]);
  expect(await word()).toBe("other_name");
  const seen = await viewDocuments(world.ctx, decider());
  expect(seen && numberStandings(seen.documents, seen.answers)).toMatchObject([
    { isOtherName: true, answer: { source: "test", answeredAt: expect.any(Number) } },
  ]);
});

test("a registry that says nothing keeps nobody from sending, waits its turn, and a moderator may ask again", async () => {
  await runRenewals(where(null));
  await runRenewals(where(null));
  await runRenewals(where(null));
  expect([await answers(), await word(), await toAsk()]).toEqual([[], "unasked", []]);
  await expect(askRegistry(where(null), decider())).rejects.toBeInstanceOf(RegistrySilent);
  await askRegistry(where({ situation: "regular", name: null }), decider());
  expect([await word(), (await answers()).map(({ askedBy }) => askedBy)]).toEqual([
    "regular",
    [carla.id],
  ]);
  await expect(
    askRegistry(world.ctx, { moderatorId: ana.id, personId: carla.id }),
  ).rejects.toBeInstanceOf(NotAModerator);
  await expect(
    askRegistry(world.ctx, { moderatorId: carla.id, personId: carla.id }),
  ).rejects.toBeInstanceOf(OwnDocuments);
});

test("who sees that money in a team, or contests a number, asks nothing of it", async () => {
  const regular = where({ situation: "regular", name: null });
  const colleague = await moderatingColleague(world.ctx, ana.id);
  await expect(
    askRegistry(regular, { moderatorId: colleague.id, personId: ana.id }),
  ).rejects.toBeInstanceOf(OwnDocuments);
  await submitSellerDetails(world.ctx, {
    personId: carla.id,
    ...sent,
    contests: true,
    pixKey: { kind: "email", key: carla.email },
  });
  await expect(askRegistry(regular, decider())).rejects.toBeInstanceOf(OwnDocuments);
  expect(await answers()).toEqual([]);
});

test.each(["suspended", "canceled", "dead", "not_found"] as const)(
  "a number that is %s is approved by nobody until it is regular",
  async (situation) => {
    await expect(
      approveDocuments(where({ situation, name: null }), decider()),
    ).rejects.toBeInstanceOf(NumberNotRegular);
    expect([await standing(), (await answers()).map((row) => row.situation), await word()]).toEqual(
      ["submitted", [situation], "irregular"],
    );
    // The moderator's word lifts no answer.
    await expect(
      approveDocuments({ ...world.ctx, registry: null }, { ...decider(), isLookedUp: true }),
    ).rejects.toBeInstanceOf(NumberNotRegular);
    const byHand = world.ctx.db
      .update(documents)
      .set({ status: "approved" })
      .where(eq(documents.personId, ana.id));
    await expect(byHand).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining("documents_not_regular") }),
    });
    await world.advance(1_000);
    await askRegistry(where({ situation: "regular", name: null }), decider());
    await approveDocuments(world.ctx, decider());
    expect(await standing()).toBe("approved");
  },
);

test("where nobody answers a moderator's word is asked for and kept; with a registry that answers it is not needed", async () => {
  for (const silent of [where(null), { ...world.ctx, registry: null }]) {
    await expect(approveDocuments(silent, decider())).rejects.toMatchObject({
      constructor: RegistrySilent,
      field: "lookedUp",
    });
  }
  await approveDocuments({ ...world.ctx, registry: null }, { ...decider(), isLookedUp: true });
  expect(await answers()).toMatchObject([
    { situation: "regular", source: "moderator", askedBy: carla.id, taxId: sent.cpf },
  ]);
});

test("of a company both numbers are asked, and either keeps it from being approved", async () => {
  const firm = await person(world.ctx, "Firma");
  await submitSellerDetails(world.ctx, {
    personId: firm.id,
    ...sent,
    cpf: generateCpf(),
    company: { name: "Baixada Ltda", cnpj: "BAIXADA0000112" },
    pixKey: { kind: "email", key: firm.email },
  });
  await papersOf(world.ctx, firm.id);
  await expect(
    approveDocuments(world.ctx, { moderatorId: carla.id, personId: firm.id }),
  ).rejects.toThrow("o CNPJ foi cancelado ou baixado");
  const kept = await world.ctx.db
    .select()
    .from(registryAnswers)
    .where(eq(registryAnswers.personId, firm.id));
  expect(kept.map(({ taxKind, situation }) => [taxKind, situation])).toEqual(
    expect.arrayContaining([
      ["cnpj", "canceled"],
      ["cpf", "regular"],
    ]),
  );
});

test("what was answered before documents were sent again says nothing of the new ones", async () => {
  await askRegistry(world.ctx, decider());
  await rejectDocuments(world.ctx, { ...decider(), code: "number_not_regular" });
  await world.advance(DAY_MS);
  await submitSellerDetails(world.ctx, { personId: ana.id, ...sent, pixKey: null });
  expect([await word(), await toAsk()]).toEqual(["unasked", [ana.id]]);
  await expect(
    approveDocuments(where({ situation: "suspended", name: null }), decider()),
  ).rejects.toBeInstanceOf(NumberNotRegular);
});

test("an answer that comes while the decision is made asks to look again", async () => {
  await askRegistry(world.ctx, decider());
  await world.advance(1_000);
  const racing = meanwhile(
    world.ctx,
    () => askRegistry(where({ situation: "dead", name: null }), decider()),
    /^update "documents" set "status"/,
  );
  await expect(approveDocuments(racing, decider())).rejects.toMatchObject({
    constructor: DocumentsChanged,
    what: "registry",
  });
});

test("an answer stays as it was said, as long as its documents", async () => {
  await askRegistry(world.ctx, decider());
  const [row] = await answers();
  const mine = eq(registryAnswers.personId, ana.id);
  for (const breach of [
    world.ctx.db.update(registryAnswers).set({ situation: "dead" }).where(mine),
    world.ctx.db.delete(registryAnswers).where(mine),
    world.ctx.db.insert(registryAnswers).values(
      row ?? {
        ...sent,
        id: "",
        personId: "",
        taxKind: "cpf",
        taxId: "",
        situation: "dead",
        source: "",
        answeredAt: 0,
      },
    ),
  ]) {
    await expect(breach).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringMatching(/immutable_log|UNIQUE/) }),
    });
  }
  await world.ctx.db.update(documents).set({ archivedAt: 1 }).where(eq(documents.personId, ana.id));
  await forgetArchivedDocuments(world.ctx, { before: 2, limit: 100 });
  expect(await answers()).toEqual([]);
});
