import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { joinOrRequest } from "#app/domain/teams/commands/requests.server.ts";
import { requestsStatement, memberSeat, memberSeats } from "#app/domain/teams/queries.server.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import * as acting from "#app/routes/settings/teams/acting.tsx";
import * as create from "#app/routes/settings/teams/create.tsx";
import * as deletion from "#app/routes/settings/teams/deletion.tsx";
import * as domain from "#app/routes/settings/teams/domain.tsx";
import * as index from "#app/routes/settings/teams/index.tsx";
import * as invitation from "#app/routes/settings/teams/invitation.tsx";
import * as invitationRevocation from "#app/routes/settings/teams/invitation-revocation.tsx";
import * as invitations from "#app/routes/settings/teams/invitations.tsx";
import * as leave from "#app/routes/settings/teams/leave.tsx";
import * as member from "#app/routes/settings/teams/member.tsx";
import * as memberRemoval from "#app/routes/settings/teams/member-removal.tsx";
import * as profile from "#app/routes/settings/teams/profile.tsx";
import * as requestApproval from "#app/routes/settings/teams/request-approval.tsx";
import * as requestRejection from "#app/routes/settings/teams/request-rejection.tsx";
import * as suggestion from "#app/routes/settings/teams/suggestion.tsx";
import * as team from "#app/routes/settings/teams/team.tsx";
import { people } from "#drizzle/schema/identity.ts";
import { authEmails } from "#drizzle/schema/local-contacts.ts";
import { organizations } from "#drizzle/schema/teams.ts";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { invite, createTeamFor as madeTeam, createTeammate } from "#tests/support/teams.ts";
import type { TestTeam } from "#tests/support/teams.ts";

const at = (path: string, module: object) => ({ path: `settings/teams${path}`, module });
const routes = callRoutesAs([
  at("", index),
  at("/acting", acting),
  at("/create", create),
  at("/invitations/:invitationId", invitation),
  at("/suggestions/:teamId", suggestion),
  at("/:slug", team),
  at("/:slug/profile", profile),
  at("/:slug/domain", domain),
  at("/:slug/invitations", invitations),
  at("/:slug/invitations/:invitationId/revocation", invitationRevocation),
  at("/:slug/members/:personId", member),
  at("/:slug/members/:personId/removal", memberRemoval),
  at("/:slug/requests/:requestId/approval", requestApproval),
  at("/:slug/requests/:requestId/rejection", requestRejection),
  at("/:slug/leave", leave),
  at("/:slug/deletion", deletion),
]);

let ctx: Context;
let made: TestTeam;
let callers: ActingCaller[];
let other: TestPerson;
let waitingId: string;

beforeAll(async () => {
  ({ ctx } = await testContext());
  made = await madeTeam(ctx);
  callers = [
    { person: made.owner, isCreator: true },
    { person: await createTeammate(ctx, made, "admin", { mayManageBilling: true }) },
    { person: await createTeammate(ctx, made, "admin") },
    { person: await createTeammate(ctx, made, "basic_member") },
    { person: await createTeammate(ctx, made, "guest_member") },
    { person: await createPerson(ctx, "De fora") },
  ];
  other = await createTeammate(ctx, made);
  waitingId = await invite(ctx, made, "espera@exemplo.test");
});

/** Verifies e-mails of a member at the embedded identity provider. */
async function proven(who: TestPerson, ...emails: string[]): Promise<TestPerson> {
  await ctx.db.update(people).set({ provider: "local" }).where(eq(people.id, who.id));
  for (const email of emails)
    await ctx.db.insert(authEmails).values({
      id: ctx.newId(),
      userId: who.id,
      address: email,
      isPrimary: email === who.email,
      verifiedAt: ctx.now(),
      createdAt: ctx.now(),
    });
  return who;
}

/**
 * Columns: owner, admin with billing, admin, basic member, guest, somebody else. The owner needs
 * recent authentication to change a member.
 */
const pages: [string, () => string, string][] = [
  ["the list", () => "", "200 200 200 200 200 200"],
  ["the team", () => `/${made.slug}`, "200 200 200 200 200 404"],
  ["its profile", () => `/${made.slug}/profile`, "200 200 200 403 403 404"],
  ["its domain", () => `/${made.slug}/domain`, "200 200 200 403 403 404"],
  ["its invitations", () => `/${made.slug}/invitations`, "200 200 200 403 403 404"],
  [
    "an invitation to revoke",
    () => `/${made.slug}/invitations/${waitingId}/revocation`,
    "200 200 200 403 403 404",
  ],
  [
    "a member's place",
    () => `/${made.slug}/members/${other.id}`,
    "NotSignedIn 200 200 403 403 404",
  ],
  [
    "the removal of a member",
    () => `/${made.slug}/members/${other.id}/removal`,
    "200 200 200 403 403 404",
  ],
  ["leaving", () => `/${made.slug}/leave`, "200 200 200 200 200 404"],
  ["its deletion", () => `/${made.slug}/deletion`, "200 403 403 403 403 404"],
];
test.each(pages)("answers each team role: %s", async (_, path, expected) => {
  const seen = [];
  for (const caller of callers)
    seen.push(await responseOutcome(routes.get(caller, `/settings/teams${path()}`)));
  expect(seen.join(" ")).toBe(expected);
});

test("forms refuse the roles that their pages refuse", async () => {
  const [, , , basic] = callers;
  if (!basic) throw new Error("nobody is basic");
  const forms: [string, Record<string, string>][] = [
    ["/profile", { name: "Minha", slug: "minha-equipe" }],
    ["/domain", { domain: "", enrolment: "manual_invitation" }],
    ["/invitations", { emails: "x@exemplo.test", role: "admin" }],
    [`/invitations/${waitingId}/revocation`, {}],
    [`/members/${basic.person.id}`, { role: "admin" }],
    [`/members/${other.id}/removal`, {}],
    ["/deletion", { confirmation: made.name }],
  ];
  for (const [path, fields] of forms)
    expect(
      await responseOutcome(routes.post(basic, `/settings/teams/${made.slug}${path}`, fields)),
      path,
    ).toBe("403");
});

describe("creating a team", () => {
  test("requires a creator page, refuses a taken slug, and allows one team for each page", async () => {
    const ana = await createSeller(ctx);
    const caller = { person: ana, isCreator: true };
    expect(
      (await routes.get({ person: await createPerson(ctx) }, "/settings/teams/create")).headers.get(
        "Location",
      ),
    ).toBe("/space/create");
    const taken = await routes.post(caller, "/settings/teams/create", {
      name: "Casa da Ana",
      slug: made.slug,
    });
    expect([taken.status, ((await taken.json()) as FormProblem).errors]).toEqual([
      409,
      { slug: "Este endereço já é de outra equipe. Escolha outro." },
    ]);
    const answer = await routes.post(caller, "/settings/teams/create", {
      name: "Casa da Ana",
      slug: `Casa-${ana.username}`,
    });
    expect(answer.headers.get("Location")).toBe(`/settings/teams/casa-${ana.username}/invitations`);
    const again = await routes.post(caller, "/settings/teams/create", {
      name: "Casa da Ana",
      slug: `outra-${ana.username}`,
    });
    expect(((await again.json()) as FormProblem).message).toBe("A sua página já tem uma equipe.");
  });
});

describe("team invitation", () => {
  test("for another e-mail shows it masked, without the team, and cannot be accepted", async () => {
    const stranger = await proven(await createPerson(ctx), `outra-${ctx.newId()}@exemplo.test`);
    const answer = await routes.get(
      { person: stranger },
      `/settings/teams/invitations/${waitingId}`,
    );
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { theirs: null, isYours: false, masked: "e•••@exemplo.test" },
    ]);
    const taken = await routes.post(
      { person: stranger },
      `/settings/teams/invitations/${waitingId}`,
      {},
    );
    expect([taken.status, ((await taken.json()) as FormProblem).message]).toEqual([
      403,
      "Este convite é para e•••@exemplo.test. Entre com a conta desse e-mail, ou confirme o e-mail na sua conta.",
    ]);
  });

  test("for an unverified e-mail cannot be accepted until it is verified, also as a second e-mail", async () => {
    const bruno = await createPerson(ctx, "Bruno");
    const invitationId = await invite(ctx, made, bruno.email);
    const path = `/settings/teams/invitations/${invitationId}`;
    expect(await routes.read({ person: bruno }, path)).toMatchObject({
      theirs: null,
      isYours: true,
    });
    expect(await responseOutcome(routes.post({ person: bruno }, path, {}))).toBe("403");
    const second = `segundo-${bruno.username}@exemplo.test`;
    await proven(bruno, bruno.email, second);
    expect((await routes.post({ person: bruno }, path, {})).headers.get("Location")).toBe(
      `/settings/teams/${made.slug}`,
    );
    expect(await routes.read({ person: bruno }, path)).toMatchObject({
      theirs: { name: made.name, status: "accepted" },
    });
    const elsewhere = await madeTeam(ctx);
    await routes.post(
      { person: bruno },
      `/settings/teams/invitations/${await invite(ctx, elsewhere, second)}`,
      {},
    );
    expect((await memberSeats(ctx, { personId: bruno.id })).map((seat) => seat.slug)).toEqual([
      made.slug,
      elsewhere.slug,
    ]);
  });

  test("is listed for its recipient", async () => {
    const caio = await createPerson(ctx, "Caio");
    await proven(caio, caio.email);
    const invitationId = await invite(ctx, made, caio.email, "guest_member");
    const list = await routes.read<{ invitations: { id: string; role: string }[] }>(
      { person: caio },
      "/settings/teams",
    );
    expect(list.invitations).toMatchObject([{ id: invitationId, role: "Acompanha" }]);
  });
});

describe("team domain", () => {
  test("needs a verified e-mail of it, and suggests the team to its people, who ask and are approved", async () => {
    const owner = await createSeller(ctx);
    const ours = await madeTeam(ctx, owner);
    const name = `${owner.username}.com.br`;
    const caller = { person: owner, isCreator: true };
    const save = (fields: Record<string, string>) =>
      routes.post(caller, `/settings/teams/${ours.slug}/domain`, fields);
    const refused = await save({ domain: name, enrolment: "automatic_suggestion" });
    expect([refused.status, ((await refused.json()) as FormProblem).errors]).toEqual([
      400,
      { domain: "Para usar este domínio, confirme antes na sua conta um e-mail dele." },
    ]);
    await proven(owner, `ana@${name}`);
    expect(
      await responseOutcome(
        save({ domain: name.toUpperCase(), enrolment: "automatic_suggestion" }),
      ),
    ).toBe("302");
    const bruno = await proven(await createPerson(ctx, "Bruno Sá"), `bruno@${name}`);
    const list = async () =>
      (
        await routes.read<{ suggestions: { teamId: string; isPending: boolean }[] }>(
          { person: bruno },
          "/settings/teams",
        )
      ).suggestions;
    expect(await list()).toMatchObject([{ teamId: ours.teamId, isPending: false }]);
    const path = `/settings/teams/suggestions/${ours.teamId}`;
    expect(await responseOutcome(routes.get({ person: await createPerson(ctx) }, path))).toBe(
      "404",
    );
    expect(await responseOutcome(routes.post({ person: bruno }, path, {}))).toBe("302");
    expect(await list()).toMatchObject([{ isPending: true }]);
    expect(
      ((await (await routes.post({ person: bruno }, path, {})).json()) as FormProblem).message,
    ).toBe("O seu pedido já foi enviado. Quem administra a equipe vai responder.");
    const [request] = await requestsStatement(ctx, ours);
    const decision = `/settings/teams/${ours.slug}/requests/${request?.requestId ?? ""}`;
    expect(await responseOutcome(routes.get(caller, `${decision}/approval`))).toBe("200");
    expect(
      await responseOutcome(
        routes.post({ person: bruno }, `${decision}/approval`, { role: "admin" }),
      ),
    ).toBe("404");
    expect(
      await responseOutcome(routes.post(caller, `${decision}/approval`, { role: "admin" })),
    ).toBe("302");
    expect(await memberSeat(ctx, { teamId: ours.teamId, personId: bruno.id })).toMatchObject({
      role: "admin",
      mayManageBilling: false,
    });
    expect(await responseOutcome(routes.get(caller, `${decision}/rejection`))).toBe("404");
    expect(
      ((await (await routes.post(caller, `${decision}/rejection`, {})).json()) as FormProblem)
        .message,
    ).toBe("Este pedido já foi respondido.");
  });

  test("once removed, its people can no longer join", async () => {
    const ours = await madeTeam(ctx);
    const caller = { person: ours.owner, isCreator: true };
    const name = `${ours.owner.username}.net`;
    await proven(ours.owner, `a@${name}`);
    await routes.post(caller, `/settings/teams/${ours.slug}/domain`, {
      domain: name,
      enrolment: "automatic_invitation",
    });
    expect(
      await responseOutcome(
        routes.post(caller, `/settings/teams/${ours.slug}/domain`, {
          domain: "",
          enrolment: "automatic_invitation",
        }),
      ),
    ).toBe("400");
    await routes.post(caller, `/settings/teams/${ours.slug}/domain`, {
      domain: "",
      enrolment: "manual_invitation",
    });
    const bruno = await createPerson(ctx);
    await expect(
      joinOrRequest(ctx, {
        teamId: ours.teamId,
        personId: bruno.id,
        personName: "B",
        verifiedEmails: [`b@${name}`],
      }),
    ).rejects.toThrow("confirmou um e-mail do domínio");
  });
});

test("a renamed team redirects to its new slug, and a team managed by the provider is read-only", async () => {
  const ours = await madeTeam(ctx);
  const caller = { person: ours.owner, isCreator: true };
  const moved = await routes.post(caller, `/settings/teams/${ours.slug}/profile`, {
    name: "Nome Novo",
    slug: `novo-${ours.owner.username}`,
  });
  expect(moved.headers.get("Location")).toBe(`/settings/teams/novo-${ours.owner.username}`);
  expect(await responseOutcome(routes.get(caller, `/settings/teams/${ours.slug}`))).toBe("404");
  await ctx.db
    .update(organizations)
    .set({ provider: "clerk", providerOrganizationId: `org_${ours.teamId}` })
    .where(eq(organizations.id, ours.teamId));
  const shown = await routes.read<{ isOfProvider: boolean; manages: boolean }>(
    caller,
    `/settings/teams/NOVO-${ours.owner.username}`,
  );
  expect([shown.isOfProvider, shown.manages]).toEqual([true, false]);
  expect(
    await responseOutcome(
      routes.get(caller, `/settings/teams/novo-${ours.owner.username}/profile`),
    ),
  ).toBe("409");
});

test("the owner cannot leave the team, and is told to delete it", async () => {
  const [owner] = callers;
  if (!owner) throw new Error("nobody owns");
  const { obstacle } = await routes.read<{ obstacle: string }>(
    owner,
    `/settings/teams/${made.slug}/leave`,
  );
  expect(obstacle).toBe(
    "Sem você, ninguém administraria a equipe da sua página. Em vez de sair, apague a equipe.",
  );
  const answer = await routes.post(owner, `/settings/teams/${made.slug}/leave`, {
    confirmation: made.name,
  });
  expect([answer.status, ((await answer.json()) as FormProblem).message]).toEqual([409, obstacle]);
});
