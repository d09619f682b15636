import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { PreviewedPage } from "#app/components/first-steps/page-preview.tsx";
import type { DocumentsProgress } from "#app/domain/documents/rules/progress.ts";
import type { FirstStep } from "#app/domain/plans/first-steps/rules.ts";
import type { PlanStart } from "#app/routes/studio/plans/suggestions.server.ts";
import * as banner from "#app/routes/studio/first-steps/banner.tsx";
import * as bio from "#app/routes/studio/first-steps/bio.tsx";
import * as documents from "#app/routes/studio/first-steps/documents.tsx";
import * as invitations from "#app/routes/studio/first-steps/invitations.tsx";
import * as payout from "#app/routes/studio/first-steps/payout-method.tsx";
import * as photo from "#app/routes/studio/first-steps/photo.tsx";
import * as plan from "#app/routes/studio/first-steps/plan.tsx";
import * as post from "#app/routes/studio/first-steps/post.tsx";
import * as checkDocuments from "#app/routes/settings/documents/check-documents.tsx";
import * as documentFiles from "#app/routes/settings/documents/document-files.tsx";
import * as ready from "#app/routes/studio/plans/plan-ready.tsx";
import * as postCreate from "#app/routes/studio/posts/post-create.tsx";
import * as spaceCreate from "#app/routes/studio/space/space-create.tsx";
import { actorConflictContext } from "#app/http/contexts.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { adultSeller } from "#tests/support/age.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";
import { picture } from "#tests/support/picture.ts";

const STEPS = { photo, banner, bio, plan, post, "payout-method": payout, documents, invitations };

const routes = callRoutesAs([
  { path: "space/create", module: spaceCreate },
  { path: "post/create", module: postCreate },
  { path: "plan/:planId/ready", module: ready },
  { path: "settings/check-documents", module: checkDocuments },
  { path: "settings/check-documents/files", module: documentFiles },
  // The loader of a request whose form was refused because the member switched pages.
  {
    path: "refused/plan",
    module: plan,
    middleware: [({ context }) => context.set(actorConflictContext, true)],
  },
  ...Object.entries(STEPS).map(([step, module]) => ({ path: `me/first-steps/${step}`, module })),
]);

type Shown = { steps: FirstStep[]; preview: PreviewedPage };

let world: World;
beforeAll(async () => {
  world = await testContext();
});

async function newCreator(member?: TestPerson): Promise<{ person: TestPerson; isCreator: true }> {
  const person = member ?? (await createPerson(world.ctx, "Rosa do Coco"));
  await routes.post({ person }, "/space/create", {
    name: "Rosa do Coco",
    craft: "Coco de roda",
    bio: "Canto coco desde menina.",
    category: "music",
  });
  return { person, isCreator: true };
}

const toastless = (answer: Response) => answer.headers.get("Location");

const profileOf = async (person: TestPerson) => {
  const [row] = await world.ctx.db.select().from(profiles).where(eq(profiles.personId, person.id));
  if (!row) throw new Error("no profile");
  return row;
};

const imageForm = (field: string) => {
  const form = new FormData();
  form.set(field, new File([picture(3)], "imagem.png", { type: "image/png" }));
  return form;
};

test("opening a page leads to its photo", async () => {
  const person = await createPerson(world.ctx, "Nova");
  const answer = await routes.post({ person }, "/space/create", {
    name: "Nova",
    craft: "Coco de roda",
    bio: "Canto coco.",
  });
  expect(toastless(answer)).toBe("/me/first-steps/photo");
});

test("every step shows the steps, and the page as it is so far", async () => {
  const asked = await newCreator();
  for (const step of Object.keys(STEPS)) {
    const shown = await routes.read<Shown>(asked, `/me/first-steps/${step}`);
    expect(shown.steps, step).toHaveLength(8);
    expect(shown.preview, step).toMatchObject({
      username: asked.person.username,
      name: "Rosa do Coco",
      craft: "Coco de roda",
      bio: "Canto coco desde menina.",
      plans: [],
      posts: [],
    });
  }
});

test("who has no page is led to open one", async () => {
  const person = await createPerson(world.ctx);
  const answer = await routes.get({ person }, "/me/first-steps/photo");
  expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/space/create"]);
});

test("who has no page changes nothing by a step's form", async () => {
  const person = await createPerson(world.ctx, "Sem página");
  const answer = await routes.post({ person }, "/me/first-steps/bio", {
    craft: "Ciranda",
    bio: "Texto.",
    category: "",
  });
  expect(answer.status).toBe(404);
  expect(await profileOf(person)).toMatchObject({ craft: "", bio: "", isCreator: false });
});

describe("a photo, a banner and the texts", () => {
  test("are saved one by one, each leading to the next screen", async () => {
    const asked = await newCreator();
    const photoAnswer = await routes.postForm(asked, "/me/first-steps/photo", imageForm("avatar"));
    expect(toastless(photoAnswer)).toBe("/me/first-steps/banner");
    const bannerAnswer = await routes.postForm(
      asked,
      "/me/first-steps/banner",
      imageForm("banner"),
    );
    // The texts came with the page.
    expect(toastless(bannerAnswer)).toBe("/me/first-steps/plan");
    const saved = await profileOf(asked.person);
    expect(saved.avatarMediaId).not.toBeNull();
    expect(saved.bannerMediaId).not.toBeNull();
    expect(saved.bio).toBe("Canto coco desde menina.");

    const bioAnswer = await routes.post(asked, "/me/first-steps/bio", {
      craft: "Coco e ciranda",
      bio: "Canto e ensino.",
      category: "education",
    });
    expect(toastless(bioAnswer)).toBe("/me/first-steps/plan");
    expect(await profileOf(asked.person)).toMatchObject({
      craft: "Coco e ciranda",
      bio: "Canto e ensino.",
      category: "education",
      avatarMediaId: saved.avatarMediaId,
      bannerMediaId: saved.bannerMediaId,
      name: "Rosa do Coco",
    });
  });

  test.each([
    ["photo", "avatar", "Escolha uma foto."],
    ["banner", "banner", "Escolha uma capa."],
  ])("the %s step refuses a form without an image beside its field", async (step, field, text) => {
    const asked = await newCreator();
    const answer = await routes.post(asked, `/me/first-steps/${step}`, { [field]: "" });
    expect(answer.status).toBe(400);
    const problem = await answer.json<{ errors: Record<string, string> }>();
    expect(problem.errors).toEqual({ [field]: text });
  });

  test("an empty text is refused, and nothing typed is lost", async () => {
    const asked = await newCreator();
    const answer = await routes.post(asked, "/me/first-steps/bio", {
      craft: "Ciranda",
      bio: " ",
      category: "",
    });
    const problem = await answer.json<{
      errors: Record<string, string>;
      values: Record<string, string>;
    }>();
    expect([answer.status, Object.keys(problem.errors)]).toEqual([400, ["bio"]]);
    expect(problem.values.craft).toBe("Ciranda");
    expect((await profileOf(asked.person)).craft).toBe("Coco de roda");
  });
});

describe("the first plan", () => {
  type PlanShown = Shown & PlanStart & { onSale: string | null };

  test("is suggested by the kind of work of the page, or by the one that is asked for", async () => {
    const asked = await newCreator();
    const own = await routes.read<PlanShown>(asked, "/me/first-steps/plan");
    expect([own.offered.kind, own.offered.plans.map(({ name }) => name)]).toEqual([
      "music",
      ["Plateia", "Camarim", "Banda de apoio"],
    ]);
    const food = await routes.read<PlanShown>(asked, "/me/first-steps/plan?kind=food&suggestion=1");
    expect(food.chosen?.values).toMatchObject({ name: "Prova", price: "12,90" });
    const unknown = await routes.read<PlanShown>(asked, "/me/first-steps/plan?kind=x&suggestion=9");
    expect([unknown.offered.kind, unknown.chosen]).toEqual(["music", null]);
  });

  test("includes a cheaper plan by name only when the page has it", async () => {
    const asked = await newCreator();
    const address = "/me/first-steps/plan?kind=music&suggestion=2";
    const benefits = async () =>
      (await routes.read<PlanShown>(asked, address)).chosen?.values["benefits"]?.split("\n")[0];
    expect(await benefits()).toBe("Músicas novas antes de todo mundo");
    await routes.post(asked, "/me/first-steps/plan", {
      name: "Plateia",
      price: "12,90",
      interval: "monthly",
    });
    expect(await benefits()).toBe("Tudo da Plateia");
  });

  test("stays as typed when the member switched to a team's page meanwhile", async () => {
    const team = await createTeamFor(world.ctx);
    const asked = await newCreator(await createTeammate(world.ctx, team));
    const elsewhere = { ...asked, teamId: team.teamId };
    const answer = await routes.post(elsewhere, "/me/first-steps/plan", {
      name: "Camarim",
      price: "19,90",
      interval: "monthly",
    });
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ values: { name: "Camarim" } });
    // Without JavaScript the same request goes on to the loader.
    const again = await routes.read<PlanShown>(elsewhere, "/refused/plan");
    expect(again.preview.username).toBe(asked.person.username);
    const opened = await routes.get(elsewhere, "/me/first-steps/plan");
    expect([opened.status, toastless(opened)]).toEqual([302, "/me"]);
  });

  test("is a draft with the changed texts, to be put on sale on the next screen", async () => {
    const asked = await newCreator();
    const answer = await routes.post(asked, "/me/first-steps/plan?kind=music&suggestion=2", {
      name: "Camarim da Rosa",
      description: "",
      benefits: "Ensaios",
      price: "19,90",
      interval: "monthly",
      welcomeMessage: "Oi!",
    });
    const [created] = await world.ctx.db
      .select()
      .from(plans)
      .where(eq(plans.creatorId, asked.person.id));
    expect(toastless(answer)).toBe(`/plan/${created?.id}/activation`);
    expect(created).toMatchObject({
      name: "Camarim da Rosa",
      state: "draft",
      welcomeMessage: "Oi!",
    });
  });

  test("once it is on sale, its page leads on to the next step, and says no more to who hid the list", async () => {
    const seller = await createSeller(world.ctx);
    const asked = { person: seller, isCreator: true };
    const path = `/plan/${seller.planId}/ready`;
    const read = async () => (await routes.read<{ stepPath: string | null }>(asked, path)).stepPath;
    expect(await read()).toBe("/me/first-steps/post");
    await world.ctx.db
      .update(profiles)
      .set({ firstStepsClosedAt: world.ctx.now() })
      .where(eq(profiles.personId, seller.id));
    expect(await read()).toBeNull();
  });
});

test("the first post leads to the next step, and a later one to itself", async () => {
  const asked = await newCreator();
  const post = {
    postId: world.ctx.newId(),
    title: "A primeira",
    content: "Cheguei.",
    ways: "public",
  };
  const refused = await routes.post(asked, "/post/create", { ...post, content: "", first: "true" });
  const { values } = await refused.json<{ values: Record<string, string> }>();
  expect([refused.status, values.first]).toEqual([400, "true"]);
  const first = await routes.post(asked, "/post/create", { ...values, content: "Cheguei." });
  expect(toastless(first)).toBe("/me/first-steps/payout-method");
  const later = await routes.post(asked, "/post/create", { ...post, postId: world.ctx.newId() });
  expect(toastless(later)).toMatch(/^\/post\//);
  const { preview } = await routes.read<Shown>(asked, "/me/first-steps/post");
  expect(preview.posts.map(({ title }) => title)).toEqual(["A primeira", "A primeira"]);
});

test("the documents lead back to the first steps, until the creator hides the list", async () => {
  const seller = await createSeller(world.ctx, { approved: false });
  const asked = { person: seller, isCreator: true };
  const read = async (path: string) =>
    (await routes.read<{ stepPath: string | null }>(asked, path)).stepPath;
  expect(await read("/settings/check-documents")).toBe("/me/first-steps/documents");
  expect(await read("/settings/check-documents/files")).toBe("/me/first-steps/invitations");
  await world.ctx.db
    .update(profiles)
    .set({ firstStepsClosedAt: world.ctx.now() })
    .where(eq(profiles.personId, seller.id));
  expect(await read("/settings/check-documents")).toBeNull();
});

test("the documents step says until when the plan sells without them", async () => {
  const seller = await createSeller(world.ctx, { approved: false });
  const { progress } = await routes.read<{ progress: DocumentsProgress }>(
    { person: seller, isCreator: true },
    "/me/first-steps/documents",
  );
  expect(progress).toMatchObject({ kind: "files_missing", isOver: false });
});

test("the invitation has the address of the page, which counts who comes by it, and a picture of it for stories", async () => {
  const asked = await newCreator();
  const { invitation } = await routes.read<{
    invitation: { url: string; storyPath: string; followersCount: number };
  }>(asked, "/me/first-steps/invitations");
  expect(invitation.url).toBe(
    `${world.ctx.settings.appOrigin}/@${asked.person.username}?l=convite`,
  );
  expect(invitation.storyPath).toMatch(
    new RegExp(`^/pictures/story/${asked.person.username}/[0-9a-f]{16}\\.png$`),
  );
  expect(invitation.followersCount).toBe(0);
});

test("the invitation has no picture of a page that visitors cannot see", async () => {
  const { ctx } = await testContext({ adultSpaces: true });
  const storyPath = async (person: TestPerson) => {
    const asked = { person, isCreator: true };
    const { invitation } = await routes.read<{ invitation: { storyPath: string | null } }>(
      asked,
      "/me/first-steps/invitations",
    );
    return invitation.storyPath;
  };
  expect(await storyPath(await createSeller(ctx))).not.toBeNull();
  expect(await storyPath(await adultSeller(ctx))).toBeNull();
});
