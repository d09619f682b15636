import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import { addComment } from "#app/domain/comments/commands.server.ts";
import { creatorPlan } from "#app/domain/plans/queries.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { changeMember, removeMember } from "#app/domain/teams/commands/members.server.ts";
import { deleteTeam } from "#app/domain/teams/commands/team.server.ts";
import { createPlan } from "#app/domain/plans/commands.server.ts";
import * as usersMe from "#app/routes/api/users-me.ts";
import * as memberLayout from "#app/routes/member-layout.tsx";
import * as messages from "#app/routes/home/messages.tsx";
import * as checkDocuments from "#app/routes/settings/documents/check-documents.tsx";
import * as profile from "#app/routes/settings/profile/profile.tsx";
import * as acting from "#app/routes/settings/teams/acting.tsx";
import * as transaction from "#app/routes/settings/sales/transaction.tsx";
import * as transactionRefund from "#app/routes/settings/sales/transaction-refund.tsx";
import * as transactions from "#app/routes/settings/sales/transactions.tsx";
import * as transfers from "#app/routes/settings/payouts/transfers.tsx";
import * as withdrawalMethod from "#app/routes/settings/payouts/withdrawal-method.tsx";
import * as commentAct from "#app/routes/space/comment-act.tsx";
import * as commentsClosing from "#app/routes/space/comments-closing.tsx";
import * as me from "#app/routes/space/me.tsx";
import * as post from "#app/routes/space/post.tsx";
import * as postLike from "#app/routes/space/post-like.tsx";
import * as subscribers from "#app/routes/studio/audience/subscribers.tsx";
import * as analytics from "#app/routes/studio/numbers/analytics.tsx";
import * as planActivation from "#app/routes/studio/plans/plan-activation.tsx";
import * as planArchive from "#app/routes/studio/plans/plan-archive.tsx";
import * as planCreate from "#app/routes/studio/plans/plan-create.tsx";
import * as planRestoration from "#app/routes/studio/plans/plan-restoration.tsx";
import * as planReady from "#app/routes/studio/plans/plan-ready.tsx";
import * as planUpdate from "#app/routes/studio/plans/plan-update.tsx";
import * as postCreate from "#app/routes/studio/posts/post-create.tsx";
import { documents } from "#drizzle/schema/documents.ts";
import { people } from "#drizzle/schema/identity.ts";
import { payouts, withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { postLikes, posts } from "#drizzle/schema/posts.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";
import type { TestTeam } from "#tests/support/teams.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { DAY_MS } from "#app/domain/time.ts";

const routes = callRoutesAs(
  [
    { path: "shell", module: memberLayout },
    { path: "me", module: me },
    { path: "messages", module: messages },
    { path: "analytics", module: analytics },
    { path: "me/subscribers", module: subscribers },
    { path: "post/create", module: postCreate },
    { path: "post/:id", module: post },
    { path: "post/:id/like", module: postLike },
    { path: "post/:id/comments/closing", module: commentsClosing },
    { path: "post/:id/comments/:commentId/act", module: commentAct },
    { path: "plan/create", module: planCreate },
    { path: "plan/:planId/update", module: planUpdate },
    { path: "plan/:planId/ready", module: planReady },
    { path: "plan/:planId/activation", module: planActivation },
    { path: "plan/:planId/archive", module: planArchive },
    { path: "plan/:planId/restoration", module: planRestoration },
    { path: "settings/profile", module: profile },
    { path: "settings/transfers", module: transfers },
    { path: "settings/transactions", module: transactions },
    { path: "settings/transactions/:id", module: transaction },
    { path: "settings/transactions/:id/refund", module: transactionRefund },
    { path: "settings/withdrawal-method", module: withdrawalMethod },
    { path: "settings/check-documents", module: checkDocuments },
    { path: "settings/teams/acting", module: acting },
    { path: "api/v1/users/me", module: usersMe },
  ],
  { ...testEnv, UNCOMPLETED_FEATURES: "true" },
);

type Fields = Record<string, string>;
const POST: Fields = { title: "Ensaio aberto", content: "Oito músicas.", ways: "public" };
const PLAN: Fields = {
  name: "Camarim",
  description: "",
  benefits: "",
  price: "19,90",
  interval: "monthly",
  seats: "",
  welcomeMessage: "",
};

let world: World;
let ctx: Context;
let made: TestTeam;
let draftId: string;
let chargeId: string;
let closedPostId: string;
let openPostId: string;
let commentId: string;
let callers: ActingCaller[];

beforeAll(async () => {
  world = await testContext();
  ctx = world.ctx;
  made = await createTeamFor(ctx);
  const { owner, teamId } = made;
  ({ planId: draftId } = await createPlan(ctx, {
    creatorId: owner.id,
    name: "Rascunho",
    description: "",
    benefits: [],
    prices: [{ interval: "monthly", amountCents: 1_500 }],
    seatsLimit: null,
    welcomeMessage: "",
  }));
  ({ postId: closedPostId } = await publishPost(ctx, {
    authorId: owner.id,
    title: "Fechada",
    content: "Só para quem assina.",
    teaser: "",
    audience: "subscribers",
    planIds: [],
    image: null,
  }));
  ({ postId: openPostId } = await publishPost(ctx, {
    authorId: owner.id,
    title: "Aberta",
    content: "Para todo mundo.",
    teaser: "",
    audience: "public",
    planIds: [],
    image: null,
  }));
  ({ commentId } = await addComment(ctx, {
    postId: openPostId,
    authorId: (await createPerson(ctx, "Fã")).id,
    authorName: "Fã",
    body: "Oi!",
  }));
  chargeId = (await paidSubscription(world, await createPerson(ctx, "Fã"), owner)).id;
  callers = [
    { person: owner, isCreator: true },
    { person: await createTeammate(ctx, made, "admin", { mayManageBilling: true }), teamId },
    { person: await createTeammate(ctx, made, "admin"), teamId },
    { person: await createTeammate(ctx, made, "basic_member"), teamId },
    { person: await createTeammate(ctx, made, "guest_member"), teamId },
  ];
});

const spaceOf = (caller: ActingCaller): Fields => (caller.teamId ? { space: made.owner.id } : {});

/**
 * Columns: owner, admin with billing, admin, basic member, guest. 403 is a refusal, 200 a page and
 * 302 a success. `NotSignedIn` asks for recent authentication.
 */
describe("team permissions", () => {
  const pages: [string, () => string, string][] = [
    ["the page as its team sees it", () => "/me", "200 200 200 200 200"],
    ["the messages", () => "/messages", "200 200 200 200 403"],
    ["the numbers", () => "/analytics", "200 200 200 200 200"],
    ["a new post", () => "/post/create", "200 200 200 200 403"],
    ["a locked post", () => `/post/${closedPostId}`, "200 200 200 200 200"],
    ["the subscriber list", () => "/me/subscribers", "200 200 200 403 403"],
    ["a new plan", () => "/plan/create", "200 200 200 403 403"],
    ["a plan", () => `/plan/${made.owner.planId}/update`, "200 200 200 403 403"],
    ["a plan on sale", () => `/plan/${made.owner.planId}/ready`, "200 200 200 403 403"],
    ["a plan to activate", () => `/plan/${draftId}/activation`, "200 200 200 403 403"],
    ["a plan to archive", () => `/plan/${draftId}/archive`, "200 200 200 403 403"],
    ["the balance and payouts", () => "/settings/transfers", "200 200 403 403 403"],
    ["the payments received", () => "/settings/transactions", "200 200 403 403 403"],
    ["one payment received", () => `/settings/transactions/${chargeId}`, "200 200 403 403 403"],
    [
      "the preview of a refund",
      () => `/settings/transactions/${chargeId}/refund?amount=1,00`,
      // It came as far as a fresh sign-in.
      "NotSignedIn NotSignedIn 403 403 403",
    ],
    ["the Pix key", () => "/settings/withdrawal-method", "NotSignedIn 403 403 403 403"],
    ["the documents", () => "/settings/check-documents", "200 403 403 403 403"],
  ];
  test.each(pages)("answers each role that reads %s", async (_, path, expected) => {
    const seen = [];
    for (const caller of callers) seen.push(await responseOutcome(routes.get(caller, path())));
    expect(seen.join(" ")).toBe(expected);
  });

  const acts: [string, () => string, Fields, string][] = [
    ["publishes", () => "/post/create", POST, "302 302 302 302 403"],
    [
      "hides a comment, or shows it again",
      () => `/post/${openPostId}/comments/${commentId}/act`,
      { act: "hide" },
      "302 302 302 302 404",
    ],
    [
      "closes the comments",
      () => `/post/${openPostId}/comments/closing`,
      { closed: "true" },
      "302 302 302 302 404",
    ],
    ["creates a plan", () => "/plan/create", PLAN, "302 302 302 403 403"],
    ["changes a plan", () => `/plan/${draftId}/update`, PLAN, "302 302 302 403 403"],
    ["activates a plan", () => `/plan/${draftId}/activation`, {}, "302 302 302 403 403"],
    ["archives a plan", () => `/plan/${draftId}/archive`, {}, "302 302 302 403 403"],
    ["takes an archiving back", () => `/plan/${draftId}/restoration`, {}, "302 302 302 403 403"],
    // The amount is below the minimum. Passing the role check is enough here.
    ["requests a payout", () => "/settings/transfers", {}, "409 409 403 403 403"],
    // It came as far as a fresh sign-in.
    [
      "refunds a payment",
      () => `/settings/transactions/${chargeId}/refund`,
      { refundId: "a".repeat(32), amountCents: "999999" },
      "401 401 403 403 403",
    ],
    [
      "changes the Pix key",
      () => "/settings/withdrawal-method",
      { keyKind: "email", pixKey: "outra@exemplo.test" },
      "401 403 403 403 403",
    ],
    [
      "changes the payout schedule",
      () => "/settings/withdrawal-method",
      { schedule: "monthly" },
      "302 403 403 403 403",
    ],
    [
      "sends documents",
      () => "/settings/check-documents",
      {
        fullName: "Ana Maria Lira",
        cpf: "529.982.247-25",
        birthDate: "31/01/1990",
        keyKind: "email",
        pixKey: "x@exemplo.test",
      },
      "409 403 403 403 403",
    ],
  ];
  test.each(acts)("answers each role that %s", async (_, path, fields, expected) => {
    const done = [];
    for (const caller of callers)
      done.push(
        await responseOutcome(routes.post(caller, path(), { ...fields, ...spaceOf(caller) })),
      );
    expect(done.join(" ")).toBe(expected);
  });

  test("the revenue in the analytics is shown only with the billing permission", async () => {
    const seen = [];
    for (const caller of callers)
      seen.push(
        (await routes.read<{ money: unknown }>(caller, "/analytics")).money === null ? "no" : "yes",
      );
    expect(seen.join(" ")).toBe("yes yes no no no");
  });

  test("what the owner pays to others is hidden from the team", async () => {
    const shop = await createSeller(ctx);
    const { id: paid } = await paidSubscription(world, made.owner, shop);
    const [, billing] = callers;
    if (!billing) throw new Error("nobody has billing");
    expect(await responseOutcome(routes.get(billing, `/settings/transactions/${paid}`))).toBe(
      "404",
    );
    const { items } = await routes.read<{ items: { id: string }[] }>(
      billing,
      "/settings/transactions",
    );
    expect(items.map((item) => item.id)).toEqual([chargeId]);
  });
});

describe("acting for a team's page", () => {
  const countOf = (authorId: string) => ctx.db.$count(posts, eq(posts.authorId, authorId));
  const problem = async (answer: Response) =>
    (await answer.json()) as { message: string; values: Fields };

  test("refuses a form that was opened for another page, and keeps the typed values", async () => {
    const own = await createSeller(ctx);
    const mine = await createTeamFor(ctx);
    const acts = { person: await createTeammate(ctx, mine), teamId: mine.teamId };
    const before = await countOf(mine.owner.id);
    const tabs: [ActingCaller, Fields, string][] = [
      // Opened for the team's page, sent after returning to the member's own.
      [{ person: acts.person }, { ...POST, space: mine.owner.id }, "sua página"],
      // Opened for the member's own page, sent after switching to the team's.
      [acts, POST, `página de ${mine.owner.name}`],
      [acts, { ...POST, space: acts.person.id }, `página de ${mine.owner.name}`],
      // The page of a team that the member is not in.
      [{ person: own, isCreator: true }, { ...POST, space: mine.owner.id }, "sua página"],
      [
        { person: own, isCreator: true, teamId: mine.teamId },
        { ...POST, space: mine.owner.id },
        "sua página",
      ],
    ];
    for (const [caller, fields, here] of tabs) {
      const answer = await routes.post(caller, "/post/create", fields);
      expect(answer.status).toBe(409);
      expect(await problem(answer)).toMatchObject({
        message: `Esta página foi aberta em nome de outra. Agora você está em: ${here}. Nada foi enviado; confira e envie de novo.`,
        values: { title: POST.title },
      });
    }
    expect([
      await countOf(mine.owner.id),
      await countOf(own.id),
      await countOf(acts.person.id),
    ]).toEqual([before, 0, 0]);
  });

  test("records the acting member, and shows their name to the team only", async () => {
    const mine = await createTeamFor(ctx);
    const bruno = await createTeammate(ctx, mine, "admin", { name: "Bruno Paz" });
    const caller = { person: bruno, teamId: mine.teamId };
    const answer = await routes.post(caller, "/post/create", { ...POST, space: mine.owner.id });
    const postId = answer.headers.get("Location")?.split("/").at(-1) ?? "";
    expect(
      await ctx.db
        .select({ author: posts.authorId, by: posts.actedBy })
        .from(posts)
        .where(eq(posts.id, postId)),
    ).toEqual([{ author: mine.owner.id, by: bruno.id }]);
    const byline = async (who: ActingCaller) =>
      (await routes.read<{ post: { publishedBy: string | null } }>(who, `/post/${postId}`)).post
        .publishedBy;
    expect([
      await byline(caller),
      await byline({ person: mine.owner, isCreator: true }),
      await byline({ person: await createPerson(ctx) }),
    ]).toEqual(["Bruno Paz", "Bruno Paz", null]);
    await routes.post(caller, `/plan/${mine.owner.planId}/update`, {
      ...PLAN,
      space: mine.owner.id,
    });
    const changed = await routes.read<{ changedBy: string }>(
      caller,
      `/plan/${mine.owner.planId}/update`,
    );
    expect(changed.changedBy).toBe("Bruno Paz");
    await routes.post(
      { person: mine.owner, isCreator: true },
      `/plan/${mine.owner.planId}/update`,
      PLAN,
    );
    expect(
      await ctx.db.select({ by: plans.actedBy }).from(plans).where(eq(plans.id, mine.owner.planId)),
    ).toEqual([{ by: null }]);
  });

  test("ends with the next request after removal, and follows a changed role at once", async () => {
    const mine = await createTeamFor(ctx);
    const caller = { person: await createTeammate(ctx, mine), teamId: mine.teamId };
    const publish = () =>
      responseOutcome(routes.post(caller, "/post/create", { ...POST, space: mine.owner.id }));
    expect(await publish()).toBe("302");
    const by = { teamId: mine.teamId, personId: mine.owner.id, memberId: caller.person.id };
    await changeMember(ctx, { ...by, role: "guest_member", mayManageBilling: false });
    expect(await publish()).toBe("403");
    await removeMember(ctx, by);
    expect(await publish()).toBe("409");
    const answer = await routes.get(caller, "/me");
    expect(((await answer.json()) as { profile: { id: string } }).profile.id).toBe(
      caller.person.id,
    );
    expect(answer.headers.getSetCookie().join()).toContain(
      "__Host-coreto-acting=; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=0",
    );
    const closed = await routes.read<{ post: { access: { visible: boolean } } }>(
      caller,
      `/post/${await closedOf(mine)}`,
    );
    expect(closed.post.access.visible).toBe(false);
  });

  async function closedOf({ owner }: TestTeam): Promise<string> {
    const { postId } = await publishPost(ctx, {
      authorId: owner.id,
      title: "Fechada",
      content: "Só para quem assina.",
      teaser: "",
      audience: "subscribers",
      planIds: [],
      image: null,
    });
    return postId;
  }

  test.each([
    [
      "deleted",
      async (mine: TestTeam) =>
        deleteTeam(ctx, { teamId: mine.teamId, personId: mine.owner.id, typedName: mine.name }),
    ],
    [
      "of a banned owner",
      async (mine: TestTeam) =>
        ctx.db.update(people).set({ bannedAt: 1 }).where(eq(people.id, mine.owner.id)),
    ],
    [
      "of an owner who is leaving",
      async (mine: TestTeam) =>
        ctx.db.update(people).set({ leavingAt: 1 }).where(eq(people.id, mine.owner.id)),
    ],
  ])("ends for a team %s", async (_, end) => {
    const mine = await createTeamFor(ctx);
    const caller = {
      person: await createTeammate(ctx, mine, "admin", { mayManageBilling: true }),
      teamId: mine.teamId,
    };
    expect(await responseOutcome(routes.get(caller, "/settings/transfers"))).toBe("200");
    await end(mine);
    expect(
      await responseOutcome(routes.post(caller, "/post/create", { ...POST, space: mine.owner.id })),
    ).toBe("409");
    const { of } = await routes.read<{ of: string | null }>(caller, "/settings/transfers");
    expect(of).toBeNull();
  });

  test("starts and ends by a form, for the member's own teams only", async () => {
    const [, , , basic] = callers;
    if (!basic) throw new Error("nobody is basic");
    const go = async (who: ActingCaller, teamId: string) =>
      routes.post(who, "/settings/teams/acting", { team: teamId });
    const there = await go({ person: basic.person }, made.teamId);
    expect([there.status, there.headers.get("Location")]).toEqual([302, "/me"]);
    expect(there.headers.getSetCookie().join()).toContain(
      `__Host-coreto-acting=${made.teamId}; Path=/; HttpOnly; Secure; SameSite=Lax`,
    );
    expect((await go(basic, "")).headers.getSetCookie().join()).toContain(
      "__Host-coreto-acting=; ",
    );
    expect((await go({ person: await createPerson(ctx) }, made.teamId)).status).toBe(404);
    expect((await go({ person: basic.person }, "' OR 1=1 --")).status).toBe(404);
  });

  test("does not affect the member's own likes, profile and API", async () => {
    const [, , , basic] = callers;
    if (!basic) throw new Error("nobody is basic");
    await routes.post(basic, `/post/${closedPostId}/like`, { liked: "true" });
    expect(
      await ctx.db
        .select({ by: postLikes.personId })
        .from(postLikes)
        .where(eq(postLikes.postId, closedPostId)),
    ).toEqual([{ by: basic.person.id }]);
    const own = async (path: string) =>
      (await routes.read<{ username: string }>(basic, path)).username;
    expect([await own("/settings/profile"), await own("/api/v1/users/me")]).toEqual([
      basic.person.username,
      basic.person.username,
    ]);
  });

  test("the layout shows the current page, and money only with the billing permission", async () => {
    type Shell = {
      acting: { spaceId: string | null; hasTeams: boolean; publishes: boolean };
      money: unknown;
    };
    const shells: Shell[] = [];
    for (const caller of callers) shells.push(await routes.read<Shell>(caller, "/shell"));
    expect(
      shells.map(({ acting: place, money }) => [
        place.spaceId !== null,
        place.hasTeams,
        place.publishes,
        money !== null,
      ]),
    ).toEqual([
      [false, false, true, true],
      [true, true, true, true],
      [true, true, true, false],
      [true, true, true, false],
      [true, true, false, false],
    ]);
  });
});

test("a payout requested by an admin goes to the owner's Pix key, and the owner is notified", async () => {
  const mine = await createTeamFor(ctx);
  await ctx.db
    .update(withdrawalMethods)
    .set({ schedule: "manual" })
    .where(eq(withdrawalMethods.creatorId, mine.owner.id));
  await paidSubscription(world, await createPerson(ctx, "Fã"), mine.owner);
  await world.advance(9 * DAY_MS);
  await world.tick();
  const admin = {
    person: await createTeammate(ctx, mine, "admin", {
      mayManageBilling: true,
      name: "Bia Contas",
    }),
    teamId: mine.teamId,
  };
  const other = { person: await createTeammate(ctx, mine, "admin"), teamId: mine.teamId };
  expect(
    await responseOutcome(routes.post(other, "/settings/transfers", { space: mine.owner.id })),
  ).toBe("403");
  expect(
    await responseOutcome(routes.post(admin, "/settings/transfers", { space: mine.owner.id })),
  ).toBe("302");
  expect(
    await ctx.db
      .select({ key: payouts.pixKey, creator: payouts.creatorId, by: payouts.actedBy })
      .from(payouts)
      .where(eq(payouts.creatorId, mine.owner.id)),
  ).toEqual([{ key: mine.owner.email, creator: mine.owner.id, by: admin.person.id }]);
  await world.tick();
  const { history } = await routes.read<{
    history: { items: { requestedByName: string | null }[] };
  }>({ person: mine.owner, isCreator: true }, "/settings/transfers");
  expect(history.items.map((item) => item.requestedByName)).toEqual(["Bia Contas"]);
  const [asked] = await ctx.db
    .select({ id: payouts.id })
    .from(payouts)
    .where(eq(payouts.creatorId, mine.owner.id));
  await deliverOutboxMessage(ctx, { outboxId: `payout:${asked?.id ?? ""}:requested` });
  const mails = await ctx.db
    .select({ subject: localMails.subject })
    .from(localMails)
    .where(eq(localMails.recipient, mine.owner.email));
  expect(mails.map((mail) => mail.subject)).toContain("Bia Contas pediu um saque da sua página");
});

test("a plan whose owner sent no documents waits for the owner, and an admin cannot activate it", async () => {
  const ana = await createSeller(ctx, { approved: false });
  const mine = await createTeamFor(ctx, ana);
  const admin = { person: await createTeammate(ctx, mine, "admin"), teamId: mine.teamId };
  const { planId } = await createPlan(ctx, {
    creatorId: ana.id,
    name: "Novo",
    description: "",
    benefits: [],
    prices: [{ interval: "monthly", amountCents: 1_500 }],
    seatsLimit: null,
    welcomeMessage: "",
  });
  await ctx.db.delete(documents).where(eq(documents.personId, ana.id));
  const { waitsFor } = await routes.read<{ waitsFor: string }>(admin, `/plan/${planId}/activation`);
  expect(waitsFor).toBe(ana.name);
  const details = {
    fullName: "Outra Pessoa",
    cpf: "529.982.247-25",
    birthDate: "31/01/1990",
    keyKind: "email",
    pixKey: admin.person.email,
    space: ana.id,
  };
  expect(await responseOutcome(routes.post(admin, `/plan/${planId}/activation`, details))).toBe(
    "403",
  );
  expect((await creatorPlan(ctx, { planId, creatorId: ana.id }))?.state).toBe("draft");
});
