import { beforeAll, describe, expect, test } from "vitest";
import { answerRow } from "#app/domain/disputes/queries.server.ts";
import { disputeDetail } from "#app/domain/disputes/queries/dispute-detail.server.ts";
import type { Context } from "#app/domain/context.ts";
import * as sending from "#app/routes/admin/dispute-sending.tsx";
import * as toSend from "#app/routes/admin/disputes.tsx";
import * as file from "#app/routes/resources/dispute-file.ts";
import * as acceptance from "#app/routes/settings/disputes/acceptance.tsx";
import * as answer from "#app/routes/settings/disputes/answer.tsx";
import * as dispute from "#app/routes/settings/disputes/dispute.tsx";
import * as evidence from "#app/routes/settings/disputes/evidence.tsx";
import * as removal from "#app/routes/settings/disputes/evidence-removal.tsx";
import * as list from "#app/routes/settings/disputes/list.tsx";
import { signUpFields } from "#tests/support/call-route.ts";
import { expireRecentAuth } from "#tests/support/external-accounts.ts";
import { memberCookies } from "#tests/support/registered.ts";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { disputeAtProvider, openDisputeOn } from "#tests/support/disputes.ts";
import { pdf } from "#tests/support/media-files.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";
import { disputeAnswers } from "#drizzle/schema/disputes.ts";
import { eq } from "drizzle-orm";

const BASE = "settings/transactions/disputes";
const routes = callRoutesAs([
  { path: BASE, module: list },
  { path: `${BASE}/:id`, module: dispute },
  { path: `${BASE}/:id/evidence`, module: evidence },
  { path: `${BASE}/:id/evidence/:fileId/removal`, module: removal },
  { path: `${BASE}/:id/answer`, module: answer },
  { path: `${BASE}/:id/acceptance`, module: acceptance },
  { path: "resources/disputes/:id/files/:fileId", module: file },
  { path: "admin/disputes", module: toSend },
  { path: "admin/disputes/:id/sending", module: sending },
]);

let world: World;
let ctx: Context;
let ana: Seller;
let bruno: TestPerson;
let disputeId: string;
let providerDisputeId: string;
const asAna = (): ActingCaller => ({ person: ana, isCreator: true });
const at = (rest = "") => `/${BASE}/${disputeId}${rest}`;
const json = async (asked: Promise<Response>) =>
  (await asked).json() as Promise<Record<string, unknown>>;
const words = (fields: Record<string, string>, sent?: File) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (sent) form.set("file", sent);
  return form;
};
const receipt = () => new File([pdf()], "Recibo de março.pdf", { type: "text/html" });

beforeAll(async () => {
  world = await testContext();
  ctx = world.ctx;
  ana = await createSeller(ctx);
  bruno = await createPerson(ctx, "Bruno");
});

async function opened(): Promise<void> {
  ({ disputeId, providerDisputeId } = await openDisputeOn(
    world,
    await paidSubscription(world, await createPerson(ctx, "Bia"), ana),
  ));
}

describe("access to a dispute", () => {
  beforeAll(opened);
  const parts = ["", "/evidence", "/answer", "/acceptance"];
  test.each(parts)("other members and unknown disputes get 404 at %j", async (rest) => {
    expect(await responseOutcome(routes.get({ person: bruno }, at(rest)))).toBe("404");
    expect(
      await responseOutcome(
        routes.get({ person: await createSeller(ctx), isCreator: true }, at(rest)),
      ),
    ).toBe("404");
    expect(await responseOutcome(routes.get(asAna(), `/${BASE}/${"0".repeat(32)}${rest}`))).toBe(
      "404",
    );
  });

  test("another member cannot change it", async () => {
    for (const rest of ["/evidence", "/answer", "/acceptance", "/evidence/x/removal"])
      expect(await responseOutcome(routes.post({ person: bruno }, at(rest), { text: "x" }))).toBe(
        "404",
      );
    expect(await answerRow(ctx, { disputeId })).toBeNull();
  });

  test("billing roles of the team read and answer it, other roles get 403, staff only reads it", async () => {
    const made = await createTeamFor(ctx, ana);
    const admin = {
      person: await createTeammate(ctx, made, "admin", { mayManageBilling: true }),
      teamId: made.teamId,
    };
    const plain = { person: await createTeammate(ctx, made, "admin"), teamId: made.teamId };
    const staff = { person: await createModerator(ctx), isModerator: true };
    expect(
      await Promise.all(
        [admin, plain, staff].map((caller) => responseOutcome(routes.get(caller, at()))),
      ),
    ).toEqual(["200", "403", "200"]);
    expect(await responseOutcome(routes.get(plain, `/${BASE}`))).toBe("403");
    expect((await json(routes.get(staff, at()))).mayAnswer).toBe(false);
    expect(await responseOutcome(routes.get(staff, at("/evidence")))).toBe("302");
    expect(await responseOutcome(routes.post(staff, at("/acceptance"), {}))).toBe("404");
    expect(await responseOutcome(routes.post(plain, at("/acceptance"), { space: ana.id }))).toBe(
      "403",
    );
    expect(
      await responseOutcome(
        routes.post(admin, at("/evidence"), { text: "Escrito pela equipe.", space: ana.id }),
      ),
    ).toBe("302");
    expect(await answerRow(ctx, { disputeId })).toMatchObject({
      text: "Escrito pela equipe.",
      writtenBy: admin.person.id,
    });
  });

  test("the list shows it with its deadline, and is empty for a member without disputes", async () => {
    expect((await json(routes.get(asAna(), `/${BASE}`))).items).toMatchObject([
      {
        id: disputeId,
        state: "needs_response",
        kind: "med",
        amountCents: 1_990,
        respondBy: expect.any(Number),
      },
    ]);
    expect((await json(routes.get({ person: bruno }, `/${BASE}`))).items).toEqual([]);
  });

  test("shows what happened to the balance, from the ledger entries", async () => {
    const { balance, evidence } = await json(routes.get(asAna(), at()));
    expect(balance).toEqual([
      { label: "Valor contestado", cents: 1_990 },
      { label: "Parte da taxa do Coreto, que também fica bloqueada", cents: 100 },
      { label: "Saiu do que estava a liberar", cents: 1_890 },
      { label: "Bloqueado agora", cents: 1_890 },
    ]);
    expect(JSON.stringify(evidence)).not.toContain("@exemplo.test");
  });
});

describe("dispute answer forms", () => {
  beforeAll(opened);

  test("name each invalid field and keep the typed values", async () => {
    const refused = async (form: FormData) =>
      (await json(routes.postForm(asAna(), at("/evidence"), form))) as {
        errors: Record<string, string>;
        values: Record<string, string>;
      };
    expect(await refused(words({ text: "a".repeat(2_001) }))).toMatchObject({
      errors: { text: "Use até 2.000 letras." },
      values: { text: "a".repeat(2_001) },
    });
    expect(await refused(words({ text: "Leu tudo.", kind: "" }, receipt()))).toMatchObject({
      errors: { kind: "Escolha o que o arquivo mostra." },
      values: { text: "Leu tudo." },
    });
    expect(
      await refused(
        words(
          { text: "Leu tudo.", kind: "receipt" },
          new File(["MZ…"], "recibo.pdf", { type: "application/pdf" }),
        ),
      ),
    ).toMatchObject({
      errors: { file: expect.stringContaining("PDF, um JPG ou um PNG") },
      values: { text: "Leu tudo.", kind: "receipt" },
    });
    expect(await refused(words({ text: "x", kind: "passport" }))).toHaveProperty("errors.kind");
    expect(await refused(words({ text: " \n ", kind: "" }))).toMatchObject({
      errors: { text: "Escreva o que aconteceu ou junte um arquivo." },
    });
    expect(await answerRow(ctx, { disputeId })).toBeNull();
    expect((await disputeDetail(ctx, { disputeId }))?.files).toEqual([]);
  });

  test("evidence is reviewed, submitted and sent to the bank, and cannot change afterwards", async () => {
    expect(await responseOutcome(routes.get(asAna(), at("/answer")))).toBe("302");
    expect(
      await responseOutcome(
        routes.postForm(
          asAna(),
          at("/evidence"),
          words({ text: "Leu tudo.", kind: "receipt" }, receipt()),
        ),
      ),
    ).toBe("302");
    expect(await json(routes.get(asAna(), at("/evidence")))).toMatchObject({
      text: "Leu tudo.",
      mayReview: true,
      files: [{ kind: "receipt", name: "Recibo de março.pdf" }],
    });
    expect(await json(routes.get(asAna(), at("/answer")))).toMatchObject({ text: "Leu tudo." });
    expect(await responseOutcome(routes.post(asAna(), at("/answer"), {}))).toBe("302");
    expect(await responseOutcome(routes.post(asAna(), at("/answer"), {}))).toBe("409");
    expect(await responseOutcome(routes.get(asAna(), at("/evidence")))).toBe("302");
    // Route handlers have no provider here, so the cron sends the answer.
    expect(await json(routes.get(asAna(), at()))).toMatchObject({
      mayAnswer: false,
      answer: { status: "submitted" },
    });
    await world.tick();
    expect(await json(routes.get(asAna(), at()))).toMatchObject({
      mayAnswer: false,
      mayAccept: false,
      answer: { status: "sent" },
      dispute: { state: "under_review" },
    });
    expect(await disputeAtProvider(world, providerDisputeId)).toMatchObject({
      status: "under_review",
      evidence: { files: [{ kind: "receipt" }] },
    });
  });

  test("the seller and staff download an evidence file, and others get 404", async () => {
    const [kept] = (await disputeDetail(ctx, { disputeId }))?.files ?? [];
    const path = `/resources/disputes/${disputeId}/files/${kept?.id}`;
    const got = await routes.get(asAna(), path);
    expect([
      got.status,
      got.headers.get("content-type"),
      got.headers.get("cache-control"),
      got.headers.get("content-disposition"),
      got.headers.get("x-content-type-options"),
    ]).toEqual([
      200,
      "application/pdf",
      "private, no-store",
      "attachment; filename*=UTF-8''Recibo%20de%20mar%C3%A7o.pdf",
      "nosniff",
    ]);
    expect(new Uint8Array(await got.arrayBuffer())).toEqual(pdf());
    expect(
      await responseOutcome(
        routes.get({ person: await createModerator(ctx), isModerator: true }, path),
      ),
    ).toBe("200");
    expect(await responseOutcome(routes.get({ person: bruno }, path))).toBe("404");
    expect(
      await responseOutcome(routes.get({ person: await createSeller(ctx), isCreator: true }, path)),
    ).toBe("404");
    expect(
      await responseOutcome(routes.get(asAna(), `/resources/disputes/${disputeId}/files/none`)),
    ).toBe("404");
  });
});

test("the seller removes an evidence file on a page of its own", async () => {
  await opened();
  await routes.postForm(asAna(), at("/evidence"), words({ text: "", kind: "other" }, receipt()));
  const [kept] = (await disputeDetail(ctx, { disputeId }))?.files ?? [];
  expect(await json(routes.get(asAna(), at(`/evidence/${kept?.id}/removal`)))).toMatchObject({
    name: "Recibo de março.pdf",
  });
  expect(await responseOutcome(routes.post(asAna(), at(`/evidence/${kept?.id}/removal`), {}))).toBe(
    "302",
  );
  expect(await responseOutcome(routes.post(asAna(), at(`/evidence/${kept?.id}/removal`), {}))).toBe(
    "404",
  );
});

test("the seller concedes a dispute by a form that shows the amounts first", async () => {
  await opened();
  expect(await json(routes.get(asAna(), at("/acceptance")))).toMatchObject({
    amountCents: 1_990,
    netCents: 1_890,
  });
  const signer = signUpFields();
  const signedIn = { ...asAna(), sessionCookie: await memberCookies(signer) };
  await expireRecentAuth(signer.email);
  const refused = await routes.post(signedIn, at("/acceptance"), {});
  expect([refused.status, await refused.json()]).toMatchObject([
    401,
    { link: { to: `/auth/confirm?to=${at("/acceptance")}` } },
  ]);
  const fresh = { ...asAna(), sessionCookie: await memberCookies(signUpFields()) };
  expect(await responseOutcome(routes.post(fresh, at("/acceptance"), {}))).toBe("302");
  await world.tick();
  expect(await json(routes.get(asAna(), at()))).toMatchObject({
    dispute: { state: "lost" },
    answer: { kind: "acceptance" },
  });
});

test("staff sees an answer to send by hand, and marks it as sent once", async () => {
  await opened();
  const staff = { person: await createModerator(ctx), isModerator: true };
  await ctx.db.insert(disputeAnswers).values({
    disputeId,
    kind: "evidence",
    status: "by_hand",
    text: "Leu tudo.",
    writtenBy: ana.id,
    submittedAt: ctx.now(),
    updatedAt: ctx.now(),
  });
  expect((await json(routes.get(staff, "/admin/disputes"))).items).toMatchObject([
    { id: disputeId },
  ]);
  const open = (await json(routes.get(staff, "/admin/disputes"))).open as {
    id: string;
    respondBy: number;
    isAnswered: boolean;
  }[];
  expect(open.find(({ id }) => id === disputeId)).toMatchObject({ isAnswered: true });
  const deadlines = open.map(({ respondBy }) => respondBy);
  expect(deadlines).toEqual(deadlines.toSorted((one, other) => one - other));
  expect(await json(routes.get(staff, `/admin/disputes/${disputeId}/sending`))).toMatchObject({
    text: "Leu tudo.",
    providerDisputeId,
  });
  expect(
    await responseOutcome(routes.post(staff, `/admin/disputes/${disputeId}/sending`, {})),
  ).toBe("302");
  expect(
    await responseOutcome(routes.post(staff, `/admin/disputes/${disputeId}/sending`, {})),
  ).toBe("409");
  expect(
    (await ctx.db.select().from(disputeAnswers).where(eq(disputeAnswers.disputeId, disputeId)))[0]
      ?.status,
  ).toBe("sent");
});
