import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { memberOrGuest, requireMember } from "#app/http/require-member.ts";
import * as apiPost from "#app/routes/api/post.ts";
import * as apiProfile from "#app/routes/api/user-profile.ts";
import * as ageAnswer from "#app/routes/age/age-answer.tsx";
import * as ageCheck from "#app/routes/age/age-check.tsx";
import * as checkout from "#app/routes/checkout/checkout.tsx";
import * as tip from "#app/routes/space/tip.tsx";
import * as publicPost from "#app/routes/public/post.tsx";
import * as publicSpace from "#app/routes/public/space.tsx";
import * as picture from "#app/routes/resources/syndication/picture.ts";
import * as publicFeed from "#app/routes/resources/syndication/public-feed.ts";
import * as profile from "#app/routes/settings/profile/profile.tsx";
import * as profileAdult from "#app/routes/settings/profile/profile-adult.tsx";
import * as profileAdultRemoval from "#app/routes/settings/profile/profile-adult-removal.tsx";
import * as post from "#app/routes/space/post.tsx";
import * as space from "#app/routes/space/space.tsx";
import { profiles } from "#drizzle/schema/profiles.ts";
import type { MiddlewareFunction } from "react-router";
import { adultSeller, ageCheckReference } from "#tests/support/age.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import {
  createRouteCaller,
  formRequest,
  signUpFields,
  TEST_ORIGIN,
} from "#tests/support/call-route.ts";
import { openSpace } from "#app/domain/profiles/commands.server.ts";
import type { Seller } from "#tests/support/people.ts";
import { memberCookies, insertMember, sessionCookies } from "#tests/support/registered.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const ON = {
  ...testEnv,
  ADULT_SPACES: "on",
  AGE_CHECK_PROVIDER: "local",
  ADULT_PAYMENTS: "accepted",
};
const middleware = [requireMember as MiddlewareFunction];
const doorways = [
  { path: "space/:username/public", module: publicSpace },
  { path: "space/:username/public/:postId", module: publicPost },
  { path: "space/:username/rss.xml", module: publicFeed },
  { path: "pictures/:kind/:key/:version", module: picture },
  { path: "api/v1/users/:username/profile", module: apiProfile },
  { path: "api/v1/posts/:id", module: apiPost },
  { path: "space/:id", module: space, middleware },
  { path: "post/:id", module: post, middleware },
  { path: "checkout", module: checkout, middleware: [memberOrGuest as MiddlewareFunction] },
  { path: "space/:id/tip", module: tip, middleware: [memberOrGuest as MiddlewareFunction] },
  { path: "age-check", module: ageCheck, middleware },
  { path: "age-check/answer", module: ageAnswer, middleware },
  { path: "settings/profile", module: profile, middleware },
  { path: "settings/profile/adult", module: profileAdult, middleware },
  { path: "settings/profile/adult/removal", module: profileAdultRemoval, middleware },
];
const [on, off] = [createRouteCaller(doorways, ON), createRouteCaller(doorways)];
const get = (path: string, cookie = "") =>
  new Request(TEST_ORIGIN + path, { headers: cookie === "" ? {} : { Cookie: cookie } });

let world: World;
let ana: Seller;
let postId: string;
let fan: string;

beforeAll(async () => {
  world = await testContext({ adultSpaces: true });
  ana = await adultSeller(world.ctx);
  ({ postId } = await publishPost(world.ctx, {
    authorId: ana.id,
    title: "Segredo",
    content: "Segredo inteiro",
    teaser: "Um segredo",
    audience: "public",
    planIds: [],
    image: null,
  }));
  fan = await memberCookies(signUpFields());
});

describe("adult page, seen without signing in", () => {
  test("shows only its name and the age notice, and is neither cached nor indexed", async () => {
    const answer = await on(get(`/space/${ana.username}/public`));
    const said = await answer.text();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
    expect(answer.headers.get("X-Robots-Tag")).toBe("noindex");
    expect(publicSpace.headers({ loaderHeaders: answer.headers } as never)).toBe(answer.headers);
    expect(said).toContain(ana.name);
    expect(said).not.toMatch(/Segredo|Rabeca|Camarim|Recife/);
  });

  test("has no picture and no feed, and its posts redirect to the notice", async () => {
    expect((await on(get(`/space/${ana.username}/rss.xml`))).status).toBe(404);
    for (const key of [`space/${ana.username}`, `cover/${ana.username}`, `post/${postId}`])
      expect((await on(get(`/pictures/${key}/x`))).status).toBe(404);
    const answer = await on(get(`/space/${ana.username}/public/${postId}`));
    expect([
      answer.status,
      answer.headers.get("Location"),
      answer.headers.get("Cache-Control"),
    ]).toEqual([302, `/space/${ana.username}/public`, "private, no-store"]);
    expect((await on(get(`/space/${ana.username}/public/nothing`))).status).toBe(404);
  });

  test("shows only a name in the API, and hides its posts", async () => {
    expect(await (await on(get(`/api/v1/users/${ana.username}/profile`))).json()).toMatchObject({
      name: ana.name,
      bio: "",
      avatarUrl: "",
      postsCount: 0,
    });
    expect((await on(get(`/api/v1/posts/${postId}`))).status).toBe(404);
  });
});

describe("age check", () => {
  test("leads a member from a post to the page, to the age check and back", async () => {
    const lia = await memberCookies(signUpFields());
    expect((await on(get(`/post/${postId}`, lia))).headers.get("Location")).toBe(
      `/space/${ana.username}`,
    );
    expect(await (await on(get(`/space/${ana.username}`, lia))).json()).toMatchObject({
      profile: { isAgeClosed: true, bio: "" },
      plans: [],
    });
    expect(await (await on(get(`/age-check?to=/space/${ana.username}`, lia))).json()).toEqual({
      to: `/space/${ana.username}`,
      problem: null,
    });
    const begun = await on(
      formRequest("/age-check", { to: `/space/${ana.username}` }, { Cookie: lia }),
    );
    const reference = await ageCheckReference(begun.headers.get("Location") ?? "", true);
    const back = await on(
      get(
        `/age-check/answer?to=${encodeURIComponent(`/space/${ana.username}`)}&reference=${encodeURIComponent(reference)}`,
        lia,
      ),
    );
    expect([back.status, back.headers.get("Location")]).toEqual([302, `/space/${ana.username}`]);
    // The bookmark cookie makes the next page read this write.
    expect(back.headers.getSetCookie().join()).toContain("__Host-coreto-bookmark=");
    expect(await (await on(get(`/space/${ana.username}`, lia))).json()).toMatchObject({
      profile: { isAgeClosed: false, bio: "Rabeca." },
    });
    expect(await (await on(get(`/post/${postId}`, lia))).json()).toMatchObject({
      post: { title: "Segredo" },
    });
    expect((await on(get("/age-check?to=/explore", lia))).headers.get("Location")).toBe("/explore");
  });

  test("checkout and tip redirect to the page before the age check, and answer 404 with adult pages off", async () => {
    for (const path of [
      `/checkout?plan=${ana.planId}`,
      `/space/${ana.username}/tip`,
      `/space/${ana.id}/tip`,
    ]) {
      expect((await on(get(path, fan))).headers.get("Location")).toBe(`/space/${ana.username}`);
      expect((await on(get(path))).headers.get("Location")).toBe(`/space/${ana.username}/public`);
      expect((await off(get(path, fan))).status).toBe(404);
    }
    expect((await on(get("/checkout?plan=nothing", fan))).status).toBe(404);
  });

  test("redirects only to pages of this site", async () => {
    expect(
      await (await on(get("/age-check?to=https://elsewhere.test/", fan))).json(),
    ).toMatchObject({ to: "/" });
    const begun = await on(formRequest("/age-check", { to: "//elsewhere.test" }, { Cookie: fan }));
    const reference = await ageCheckReference(begun.headers.get("Location") ?? "", false);
    expect(
      await (
        await on(
          get(
            `/age-check/answer?to=//elsewhere.test&reference=${encodeURIComponent(reference)}`,
            fan,
          ),
        )
      ).json(),
    ).toEqual({ answer: "no", to: "/" });
    expect(await (await on(get("/age-check", fan))).json()).toMatchObject({
      problem: expect.stringContaining("A verificação respondeu que não."),
    });
    const again = await on(formRequest("/age-check", { to: "/" }, { Cookie: fan }));
    expect([again.status, await again.json()]).toEqual([
      429,
      expect.objectContaining({
        message: expect.stringContaining("A verificação respondeu que não."),
      }),
    ]);
  });

  test("an unknown or forged reference does not change access", async () => {
    const lia = await memberCookies(signUpFields());
    for (const reference of ["", "made-up", "a.b"])
      expect(
        await (await on(get(`/age-check/answer?reference=${reference}`, lia))).json(),
      ).toMatchObject({ answer: "unknown" });
    expect(await (await on(get(`/space/${ana.username}`, lia))).json()).toMatchObject({
      profile: { isAgeClosed: true },
    });
  });
});

describe("with adult pages off", () => {
  test("settings do not mention adult pages, and their routes answer 404", async () => {
    const { userId, personId } = await insertMember(signUpFields());
    await openSpace(world.ctx, {
      personId,
      name: "Lia",
      bio: "",
      city: "",
      craft: "",
      avatarMediaId: null,
      bannerMediaId: null,
    });
    const lia = await sessionCookies(userId);
    expect(await (await off(get("/settings/profile", lia))).json()).toMatchObject({ adult: null });
    for (const path of ["/age-check", "/age-check/answer?reference=x", "/settings/profile/adult"])
      expect((await off(get(path, lia))).status).toBe(404);
    expect((await off(get("/settings/profile/adult/removal", lia))).headers.get("Location")).toBe(
      "/settings/profile",
    );
    expect((await off(formRequest("/age-check", {}, { Cookie: lia }))).status).toBe(404);
    expect((await off(formRequest("/settings/profile/adult", {}, { Cookie: lia }))).status).toBe(
      404,
    );
    expect(await (await on(get("/settings/profile", lia))).json()).toMatchObject({
      adult: "unmarked",
    });
  });

  test("a marked page is visible only to its owner, who reads why and can remove the mark", async () => {
    expect((await off(get(`/space/${ana.username}/public`))).status).toBe(404);
    expect((await off(get(`/space/${ana.username}`, fan))).status).toBe(404);
    expect((await off(get(`/post/${postId}`, fan))).status).toBe(404);
    const { userId, personId } = await insertMember(signUpFields());
    await world.ctx.db
      .update(profiles)
      .set({ isCreator: true, isAdult: true })
      .where(eq(profiles.personId, personId));
    const owner = await sessionCookies(userId);
    expect(await (await off(get("/settings/profile", owner))).json()).toMatchObject({
      adult: "shut",
    });
    expect(await (await off(get("/settings/profile/adult/removal", owner))).json()).toMatchObject({
      isShown: false,
    });
    const unticked = await off(
      formRequest("/settings/profile/adult/removal", {}, { Cookie: owner }),
    );
    expect([unticked.status, await unticked.json()]).toEqual([
      400,
      expect.objectContaining({
        errors: { checked: "Confirme que você conferiu o que está publicado." },
      }),
    ]);
    expect(
      (
        await off(
          formRequest("/settings/profile/adult/removal", { checked: "on" }, { Cookie: owner }),
        )
      ).headers.get("Location"),
    ).toBe("/settings/profile");
    expect(await (await off(get("/settings/profile", owner))).json()).toMatchObject({
      adult: null,
    });
  });
});
