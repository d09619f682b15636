import { generateCpf } from "@brazilian-utils/brazilian-utils/generate-cpf";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { rejectDocuments } from "#app/domain/documents/commands.server.ts";
import { purgeArchivedDocuments } from "#app/domain/documents/erasure/commands.server.ts";
import { queryRegistry } from "#app/domain/documents/registry/commands.server.ts";
import { viewDocumentsAsModerator } from "#app/domain/documents/files/commands/views.server.ts";
import {
  DocumentsChanged,
  DocumentModeratorRequired,
  TaxIdNotRegular,
  DocumentsConflictOfInterest,
  RegistryUnavailable,
} from "#app/domain/documents/errors.ts";
import { documentsOfPerson, pendingDocuments } from "#app/domain/documents/queries.server.ts";
import { documentsToQuery } from "#app/domain/documents/registry/queries.server.ts";
import { taxIdChecks, checksLabel } from "#app/domain/documents/registry/rules.ts";
import type { RegistryAnswer } from "#app/domain/documents/schema.ts";
import { submitSellerDetails } from "#app/domain/payouts/destinations/commands.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { documents, registryAnswers } from "#drizzle/schema/documents.ts";
import { runRenewals } from "#workers/renewals/run.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { moderatorInTeam } from "#tests/support/teams.ts";
import {
  createModerator,
  insertDocumentFiles,
  createPerson,
  approveOpened,
} from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: TestPerson;
let carla: TestPerson;
let sent: { fullName: string; cpf: string; birthDate: string };
beforeEach(async () => {
  world = await testContext();
  ana = await createPerson(world.ctx, "Ana");
  carla = await createModerator(world.ctx);
  sent = { fullName: "Ana Maria Lira", cpf: generateCpf(), birthDate: "1990-01-31" };
  await submitSellerDetails(world.ctx, {
    personId: ana.id,
    ...sent,
    pixKey: { kind: "email", key: ana.email },
  });
  await insertDocumentFiles(world.ctx, ana.id);
});

/** The same context with a registry that answers this for every tax id. */
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
const status = async () => (await documentsOfPerson(world.ctx, { personId: ana.id }))?.status;
const toAsk = async () =>
  (await documentsToQuery(world.ctx, { now: world.ctx.now(), limit: 100 })).filter(
    (id) => id === ana.id,
  );
const word = async () =>
  checksLabel(
    (
      await pendingDocuments(world.ctx, { moderatorId: carla.id, cursor: null, limit: 100 })
    ).items.find(({ personId }) => personId === ana.id)?.numbers ?? [],
  );

test("the scheduler queries the registry once, and the moderator sees the answer with its day and source", async () => {
  expect([await word(), await toAsk()]).toEqual(["unasked", [ana.id]]);
  await runRenewals(where({ situation: "regular", name: "BRUNO PAZ" }));
  expect(await toAsk()).toEqual([]);
  await runRenewals(where({ situation: "dead", name: null }));
  expect(await answers()).toMatchObject([
    { situation: "regular", name: "BRUNO PAZ", source: "test", askedBy: null, taxId: sent.cpf },
  ]);
  expect(await word()).toBe("other_name");
  const seen = await viewDocumentsAsModerator(world.ctx, decider());
  expect(seen && taxIdChecks(seen.documents, seen.answers)).toMatchObject([
    { isOtherName: true, answer: { source: "test", answeredAt: expect.any(Number) } },
  ]);
});

test("an unavailable registry blocks no submission, is retried later, and can be queried by a moderator", async () => {
  await runRenewals(where(null));
  await runRenewals(where(null));
  await runRenewals(where(null));
  expect([await answers(), await word(), await toAsk()]).toEqual([[], "unasked", []]);
  await expect(queryRegistry(where(null), decider())).rejects.toBeInstanceOf(RegistryUnavailable);
  await queryRegistry(where({ situation: "regular", name: null }), decider());
  expect([await word(), (await answers()).map(({ askedBy }) => askedBy)]).toEqual([
    "regular",
    [carla.id],
  ]);
  await expect(
    queryRegistry(world.ctx, { moderatorId: ana.id, personId: carla.id }),
  ).rejects.toBeInstanceOf(DocumentModeratorRequired);
  await expect(
    queryRegistry(world.ctx, { moderatorId: carla.id, personId: carla.id }),
  ).rejects.toBeInstanceOf(DocumentsConflictOfInterest);
});

test("a moderator with a conflict of interest cannot query the registry", async () => {
  const regular = where({ situation: "regular", name: null });
  const colleague = await moderatorInTeam(world.ctx, ana.id);
  await expect(
    queryRegistry(regular, { moderatorId: colleague.id, personId: ana.id }),
  ).rejects.toBeInstanceOf(DocumentsConflictOfInterest);
  await submitSellerDetails(world.ctx, {
    personId: carla.id,
    ...sent,
    contests: true,
    pixKey: { kind: "email", key: carla.email },
  });
  await expect(queryRegistry(regular, decider())).rejects.toBeInstanceOf(
    DocumentsConflictOfInterest,
  );
  expect(await answers()).toEqual([]);
});

test.each(["suspended", "canceled", "dead", "not_found"] as const)(
  "a tax id that is %s cannot be approved until it is regular",
  async (situation) => {
    await expect(approveOpened(where({ situation, name: null }), decider())).rejects.toBeInstanceOf(
      TaxIdNotRegular,
    );
    expect([await status(), (await answers()).map((row) => row.situation), await word()]).toEqual([
      "submitted",
      [situation],
      "irregular",
    ]);
    // The moderator's statement does not override an answer.
    await expect(
      approveOpened({ ...world.ctx, registry: null }, { ...decider(), isLookedUp: true }),
    ).rejects.toBeInstanceOf(TaxIdNotRegular);
    const byHand = world.ctx.db
      .update(documents)
      .set({ status: "approved" })
      .where(eq(documents.personId, ana.id));
    await expect(byHand).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining("documents_not_regular") }),
    });
    await world.advance(1_000);
    await queryRegistry(where({ situation: "regular", name: null }), decider());
    await approveOpened(world.ctx, decider());
    expect(await status()).toBe("approved");
  },
);

test("without an answer the moderator must state that they looked it up; with an answer they need not", async () => {
  for (const unavailable of [where(null), { ...world.ctx, registry: null }]) {
    await expect(approveOpened(unavailable, decider())).rejects.toMatchObject({
      constructor: RegistryUnavailable,
      field: "lookedUp",
    });
  }
  await approveOpened({ ...world.ctx, registry: null }, { ...decider(), isLookedUp: true });
  expect(await answers()).toMatchObject([
    { situation: "regular", source: "moderator", askedBy: carla.id, taxId: sent.cpf },
  ]);
});

test("a company has both of its tax ids queried, and either can block its approval", async () => {
  const firm = await createPerson(world.ctx, "Firma");
  await submitSellerDetails(world.ctx, {
    personId: firm.id,
    ...sent,
    cpf: generateCpf(),
    company: { name: "Baixada Ltda", cnpj: "BAIXADA0000112" },
    pixKey: { kind: "email", key: firm.email },
  });
  await insertDocumentFiles(world.ctx, firm.id);
  await expect(
    approveOpened(world.ctx, { moderatorId: carla.id, personId: firm.id }),
  ).rejects.toThrow("o CNPJ foi cancelado ou baixado");
  const saved = await world.ctx.db
    .select()
    .from(registryAnswers)
    .where(eq(registryAnswers.personId, firm.id));
  expect(saved.map(({ taxKind, situation }) => [taxKind, situation])).toEqual(
    expect.arrayContaining([
      ["cnpj", "canceled"],
      ["cpf", "regular"],
    ]),
  );
});

test("answers for earlier documents do not count for new ones", async () => {
  await queryRegistry(world.ctx, decider());
  await rejectDocuments(world.ctx, { ...decider(), code: "number_not_regular" });
  await world.advance(DAY_MS);
  await submitSellerDetails(world.ctx, { personId: ana.id, ...sent, pixKey: null });
  expect([await word(), await toAsk()]).toEqual(["unasked", [ana.id]]);
  await expect(
    approveOpened(where({ situation: "suspended", name: null }), decider()),
  ).rejects.toBeInstanceOf(TaxIdNotRegular);
});

test("a decision is refused when an answer arrives meanwhile", async () => {
  await queryRegistry(world.ctx, decider());
  await world.advance(1_000);
  const racing = interleaveBeforeWrite(
    world.ctx,
    () => queryRegistry(where({ situation: "dead", name: null }), decider()),
    /^update "documents" set "status"/,
  );
  await expect(approveOpened(racing, decider())).rejects.toMatchObject({
    constructor: DocumentsChanged,
    what: "registry",
  });
});

test("an answer cannot change or be deleted while its documents exist", async () => {
  await queryRegistry(world.ctx, decider());
  const [row] = await answers();
  const ofAna = eq(registryAnswers.personId, ana.id);
  for (const breach of [
    world.ctx.db.update(registryAnswers).set({ situation: "dead" }).where(ofAna),
    world.ctx.db.delete(registryAnswers).where(ofAna),
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
  await purgeArchivedDocuments(world.ctx, { before: 2, limit: 100 });
  expect(await answers()).toEqual([]);
});
