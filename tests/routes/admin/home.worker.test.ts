import { beforeAll, expect, test } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { appealDecision } from "#app/domain/moderation/appeals/commands.server.ts";
import { messageSubjectId } from "#app/domain/moderation/reports/rules/subjects.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { requireModerator } from "#app/http/require-member.ts";
import * as home from "#app/routes/admin/home.tsx";
import * as caseAppeal from "#app/routes/admin/reports/case-appeal.tsx";
import * as claim from "#app/routes/admin/reports/claim.tsx";
import * as release from "#app/routes/admin/reports/release.tsx";
import * as cases from "#app/routes/admin/reports/reports.tsx";
import * as caseRoute from "#app/routes/admin/reports/report-case.tsx";
import { reports } from "#drizzle/schema/moderation.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import { appealAddress, claimedAndDecided, publicPost, reported } from "#tests/support/reports.ts";

const middleware = [requireModerator as MiddlewareFunction];
const doors = callRoutesAs([
  { path: "admin", module: home, middleware },
  { path: "admin/reports", module: cases, middleware },
  { path: "admin/reports/:id", module: caseRoute, middleware },
  { path: "admin/reports/:id/claim", module: claim, middleware },
  { path: "admin/reports/:id/release", module: release, middleware },
  { path: "admin/reports/:id/appeal", module: caseAppeal, middleware },
]);

let world: World;
let carla: ActingCaller;
let bia: ActingCaller;
beforeAll(async () => {
  world = await testContext();
  carla = { person: await createModerator(world.ctx), isModerator: true };
  bia = { person: await createPerson(world.ctx, "Bia") };
});

type Line = { to: string; count: number; age: string | null; note: string | null };

async function waiting(): Promise<Line[]> {
  const { lines } = (await (await doors.get(carla, "/admin")).json()) as { lines: Line[] };
  return lines.filter(({ count }) => count > 0);
}

test("the staff's pages are closed to members", async () => {
  for (const path of ["/admin", "/admin/reports", "/admin/reports/x"])
    expect(await responseOutcome(doors.get(bia, path))).toBe("404");
});

test("the home counts each queue with the age of its oldest", async () => {
  const { ctx } = world;
  const ana = await createSeller(ctx, { approved: false });
  const [first, second] = [await publicPost(ctx, ana.id), await publicPost(ctx, ana.id)];
  await ctx.db.insert(payouts).values({
    id: ctx.newId(),
    creatorId: ana.id,
    amountCents: 0,
    status: "held",
    heldReason: "approval",
    pixKeyKind: "email",
    pixKey: ana.email,
    provider: "sandbox",
    requestedAt: ctx.now() - DAY_MS,
  });
  const decided = await reported(ctx, bia.person, { subject: { kind: "post", id: first } });
  await claimedAndDecided(ctx, {
    caseId: decided.caseId,
    moderator: carla.person,
    decision: "warn",
  });
  await appealDecision(ctx, { ...(await appealAddress(ctx, decided.caseId)), text: "Não." });
  const subject = { kind: "post" as const, id: second };
  await reported(ctx, bia.person, { subject, reason: "child_exploitation" });
  expect(await waiting()).toMatchObject([
    { to: "/admin/reports", count: 1, age: "agora", note: "1 no começo da fila" },
    { to: "/admin/reports?view=appeals", count: 1, age: "agora" },
    { to: "/admin/documents", count: 1, age: "agora" },
    { to: "/admin/payouts", count: 1, age: "ontem" },
  ]);
});

test("a moderator who was reported finds no case, list line or count about themselves", async () => {
  const { ctx } = world;
  const dora: ActingCaller = { person: await createModerator(ctx), isModerator: true };
  const subject = { kind: "profile" as const, id: dora.person.id };
  const open = await reported(ctx, bia.person, { subject, details: "Olhem isto." });
  const lists = async (caller: ActingCaller) => {
    const views = await Promise.all(
      ["open", "appeals", "decided"].map(async (view) =>
        (await doors.get(caller, `/admin/reports?view=${view}`)).text(),
      ),
    );
    return views.join(" ");
  };
  const casesCount = async (caller: ActingCaller) => {
    const { lines } = (await (await doors.get(caller, "/admin")).json()) as { lines: Line[] };
    return lines.slice(0, 2).reduce((sum, { count }) => sum + count, 0);
  };
  const page = `/admin/reports/${open.caseId}`;
  expect(await responseOutcome(doors.get(dora, page))).toBe("404");
  expect(await responseOutcome(doors.get(carla, page))).toBe("200");
  expect(await casesCount(carla)).toBe((await casesCount(dora)) + 1);
  expect(await lists(dora)).not.toContain(open.caseId);
  expect(await lists(carla)).toContain(open.caseId);
  await claimedAndDecided(ctx, { caseId: open.caseId, moderator: carla.person, decision: "warn" });
  await appealDecision(ctx, { ...(await appealAddress(ctx, open.caseId)), text: "Não." });
  expect(await casesCount(carla)).toBe((await casesCount(dora)) + 1);
  expect(await lists(dora)).not.toContain(open.caseId);
  for (const form of ["claim", "release", "appeal"])
    expect(await responseOutcome(doors.get(dora, `${page}/${form}`))).toBe("404");
});

test("a case page shows a later copy below the report that brought it", async () => {
  const { ctx } = world;
  const ana = await createSeller(ctx);
  const message = await messageHelpers(() => world).write(bia.person, ana, "Bom dia");
  const subject = { kind: "message" as const, id: messageSubjectId(message) };
  const { caseId } = await reported(ctx, ana, { subject });
  const abuse = { evidence: '{"kind":"message","body":"Abuso"}', reason: "hate" };
  const later = { ...abuse, id: ctx.newId(), caseId, createdAt: ctx.now() + 1 };
  await ctx.db.insert(reports).values(later);
  const page = await (await doors.get(carla, `/admin/reports/${caseId}`)).json();
  expect(page).toMatchObject({
    title: "Mensagem: Bom dia",
    currentState: "Na conversa",
    before: { body: "Bom dia" },
    reports: [{ copy: null }, { copy: { body: "Abuso" } }],
  });
});
