import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { commit, openDatabase } from "#app/db/client.server.ts";
import { UniqueViolation } from "#app/db/errors.ts";
import { usernameInUse } from "#app/domain/identity/queries.server.ts";
import { registerProfileStatements } from "#app/domain/profiles/commands.server.ts";
import { splitName, fullName, publicNameOf } from "#app/domain/profiles/rules/names.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as publicSpace from "#app/routes/public/space.tsx";
import * as space from "#app/routes/space/space.tsx";
import { authUsers } from "#drizzle/schema/local-identity.ts";
import { media } from "#drizzle/schema/media.ts";
import { formerUsernames, profiles } from "#drizzle/schema/profiles.ts";
import {
  accountBrowser,
  mailsTo,
  refusalIn,
  signedUp,
  usernameOf,
} from "#tests/support/account-browser.ts";
import type { AccountBrowser } from "#tests/support/account-browser.ts";
import { testClock } from "#tests/support/clock.ts";
import { testContext } from "#tests/support/context.ts";
import { createRouteCaller, signUpFields, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { pngImage } from "#tests/support/images.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import type { MiddlewareFunction } from "react-router";

const db = openDatabase(testEnv.DB);
const PROFILE = "/auth/account/profile";
const USERNAME = "/auth/account/username";
const DAY_MS = 24 * 60 * 60 * 1_000;
const pages = createRouteCaller([
  { path: "space/:username/public", module: publicSpace },
  { path: "space/:id", module: space, middleware: [requireMember as MiddlewareFunction] },
]);
const shown = z.object({
  firstName: z.string(),
  lastName: z.string(),
  name: z.string(),
  avatarUrl: z.string().nullable(),
  isPublicNameFollowing: z.boolean(),
});
const profileIn = async (browser: AccountBrowser) =>
  shown.parse(await (await browser.get(PROFILE)).json());
const fresh = () => signUpFields().username;
const visit = (path: string, browser?: AccountBrowser) => {
  const Cookie = browser
    ? [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    : "";
  return pages(new Request(TEST_ORIGIN + path, { headers: Cookie ? { Cookie } : {} }));
};

function pass(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: testClock.now() + ms });
}

afterEach(() => {
  vi.useRealTimers();
});

describe("first and last name", () => {
  test("split the registered name, and the public name follows them", async () => {
    const { browser, person } = await signedUp();
    expect(await profileIn(browser)).toMatchObject({
      firstName: "Lia",
      lastName: "Souza",
      isPublicNameFollowing: true,
    });
    expect(
      (await browser.post(PROFILE, { firstName: "Liana", lastName: "de Souza Reis" })).headers.get(
        "Location",
      ),
    ).toBe(PROFILE);
    expect(await profileIn(browser)).toMatchObject({
      firstName: "Liana",
      lastName: "de Souza Reis",
      name: "Liana de Souza Reis",
      isPublicNameFollowing: true,
    });
    const user = await db
      .select()
      .from(authUsers)
      .where(eq(authUsers.username, person.username))
      .get();
    expect(user).toMatchObject({
      name: "Liana de Souza Reis",
      firstName: "Liana",
      lastName: "de Souza Reis",
    });
  });

  test("do not change a public name that the member chose separately", async () => {
    const { browser, person } = await signedUp();
    await db
      .update(profiles)
      .set({ name: "Lia do Coco" })
      .where(eq(profiles.username, person.username));
    expect(await profileIn(browser)).toMatchObject({
      name: "Lia do Coco",
      isPublicNameFollowing: false,
    });
    await browser.post(PROFILE, { firstName: "Liana", lastName: "" });
    expect(await profileIn(browser)).toMatchObject({
      firstName: "Liana",
      lastName: "",
      name: "Lia do Coco",
      isPublicNameFollowing: false,
    });
  });

  test.each([
    ["firstName", "", "Campo obrigatório"],
    ["firstName", "a".repeat(257), "Use até 256 caracteres."],
    ["lastName", "a".repeat(257), "Use até 256 caracteres."],
    ["lastName", "Souza\nReis", "Escreva o nome em uma linha"],
  ])("%s %j is refused beside its field, and the typed values stay", async (field, value, why) => {
    const { browser } = await signedUp();
    const answer = await browser.post(PROFILE, {
      firstName: "Lia",
      lastName: "Souza",
      [field]: value,
    });
    const problem = z
      .object({
        errors: z.record(z.string(), z.string()),
        values: z.record(z.string(), z.string()),
      })
      .parse(await answer.json());
    expect(answer.status).toBe(400);
    expect(problem.errors[field]).toContain(why);
    expect(problem.values[field]).toBeDefined();
  });

  test("accept 256 characters each, and the public name is cut to its limit", async () => {
    const { browser } = await signedUp();
    const names = { firstName: "a".repeat(256), lastName: "b".repeat(256) };
    expect((await browser.post(PROFILE, names)).status).toBe(302);
    expect(await profileIn(browser)).toMatchObject({
      ...names,
      name: "a".repeat(256),
      isPublicNameFollowing: true,
    });
  });

  test("split and join a full name at its first space", () => {
    expect(["Lia", "Lia Souza", "  Lia   de  Souza "].map(splitName)).toEqual([
      { firstName: "Lia", lastName: "" },
      { firstName: "Lia", lastName: "Souza" },
      { firstName: "Lia", lastName: "de Souza" },
    ]);
    expect([
      fullName({ firstName: "Lia", lastName: "" }),
      fullName({ firstName: "Lia", lastName: "Souza" }),
    ]).toEqual(["Lia", "Lia Souza"]);
    expect(publicNameOf(`${"a".repeat(255)}😀`)).toBe("a".repeat(255));
  });
});

describe("profile picture", () => {
  const withPicture = (bytes: ArrayBuffer | string) => {
    const form = new FormData();
    form.set("firstName", "Lia");
    form.set("lastName", "Souza");
    form.set("avatar", new File([bytes], "foto.png", { type: "image/png" }));
    return form;
  };

  test("is saved and shown, and can be removed", async () => {
    const { browser } = await signedUp();
    expect((await browser.get("/auth/account/picture/removal")).headers.get("Location")).toBe(
      PROFILE,
    );
    expect(
      (await browser.postForm(PROFILE, withPicture(await pngImage(40, 40)))).headers.get(
        "Location",
      ),
    ).toBe(PROFILE);
    const { avatarUrl } = await profileIn(browser);
    const [, mediaId = ""] = /^\/media\/([0-9a-f]+)\/320$/.exec(avatarUrl ?? "") ?? [];
    expect(await db.select().from(media).where(eq(media.id, mediaId))).toMatchObject([
      { purpose: "avatar", alt: "Foto de Lia Souza" },
    ]);
    expect((await browser.post("/auth/account/picture/removal")).headers.get("Location")).toBe(
      PROFILE,
    );
    expect((await profileIn(browser)).avatarUrl).toBeNull();
  });

  test("does not change when only the name is saved", async () => {
    const { browser } = await signedUp();
    await browser.postForm(PROFILE, withPicture(await pngImage(40, 40)));
    const { avatarUrl } = await profileIn(browser);
    await browser.post(PROFILE, { firstName: "Liana", lastName: "" });
    expect((await profileIn(browser)).avatarUrl).toBe(avatarUrl);
  });

  test.each([
    [
      "over 10 MB",
      async () => new ArrayBuffer(10 * 1024 * 1024 + 1),
      "A imagem precisa ter até 10 MB.",
    ],
    [
      "a text with an image's name",
      async () => "isto não é uma imagem",
      "Envie uma imagem JPG, PNG, GIF",
    ],
    [
      "an image that breaks off",
      async () => (await pngImage(40, 40)).slice(0, 40),
      "Envie uma imagem JPG, PNG, GIF",
    ],
  ])("refuses %s beside its field and saves nothing", async (_, bytes, why) => {
    const { browser, person } = await signedUp();
    const answer = await browser.postForm(PROFILE, withPicture(await bytes()));
    expect(answer.status).toBe(400);
    expect(
      z.object({ errors: z.object({ avatar: z.string() }) }).parse(await answer.json()).errors
        .avatar,
    ).toContain(why);
    expect(await profileIn(browser)).toMatchObject({ name: person.name, avatarUrl: null });
  });
});

describe("username change", () => {
  test("leads back to the page that offered it, and never to another site", async () => {
    for (const [to, led] of [
      ["/checkout/c1", "/checkout/c1"],
      ["//fora.test", "/auth/account/profile"],
    ] as const) {
      const { browser } = await signedUp();
      const answer = await browser.post(USERNAME, { username: fresh(), to });
      expect(answer.headers.get("Location")).toBe(led);
    }
  });

  test("updates page and sign-in, redirects and reserves the old username for a year, and notifies by e-mail", async () => {
    const { browser, person } = await signedUp();
    const username = fresh();
    expect(
      (await browser.post(USERNAME, { username: username.toUpperCase() })).headers.get("Location"),
    ).toBe(PROFILE);
    expect(await usernameOf(browser)).toBe(username);
    expect(
      (
        await accountBrowser().post("/auth/login", {
          identifier: username,
          password: person.password,
        })
      ).status,
    ).toBe(302);
    expect(
      (
        await accountBrowser().post("/auth/login", {
          identifier: person.username,
          password: person.password,
        })
      ).status,
    ).toBe(401);
    const moved = await visit(`/space/${person.username}/public`);
    expect([moved.status, moved.headers.get("Location")]).toEqual([
      302,
      `/space/${username}/public`,
    ]);
    const { browser: other } = await signedUp();
    expect((await visit(`/space/${person.username}`, other)).headers.get("Location")).toBe(
      `/space/${username}`,
    );
    expect(await refusalIn(await other.post(USERNAME, { username: person.username }))).toBe(
      "409 Este nome de usuário já está em uso. Escolha outro.",
    );
    const told = (await mailsTo(person.email)).find(
      ({ subject }) => subject === "O seu nome de usuário mudou",
    );
    expect(told?.body).toContain(`@${person.username} agora é @${username}`);
  });

  test("the database refuses a former username to others for a year, and then allows it", async () => {
    const { browser, person } = await signedUp();
    await browser.post(USERNAME, { username: fresh() });
    const { ctx } = await testContext();
    const taken = (at: number) =>
      commit(
        ctx.db,
        registerProfileStatements(
          { ...ctx, now: () => at },
          { personId: crypto.randomUUID(), username: person.username, name: "Outra" },
        ),
      );
    expect(await usernameInUse(ctx, { username: person.username })).toBe(true);
    await expect(taken(testClock.now() + 364 * DAY_MS)).rejects.toMatchObject({
      columns: "profiles.username",
    });
    await expect(taken(testClock.now() + 364 * DAY_MS)).rejects.toBeInstanceOf(UniqueViolation);
    expect(
      await usernameInUse(
        { ...ctx, now: () => testClock.now() + 366 * DAY_MS },
        { username: person.username },
      ),
    ).toBe(false);
    await taken(testClock.now() + 366 * DAY_MS);
    expect((await visit(`/space/${person.username}/public`)).status).toBe(200);
  });

  test("can return to the former username", async () => {
    const { browser, person } = await signedUp();
    const username = fresh();
    await browser.post(USERNAME, { username });
    expect((await browser.post(USERNAME, { username: person.username })).status).toBe(302);
    expect(await usernameOf(browser)).toBe(person.username);
    expect(
      await db.select().from(formerUsernames).where(eq(formerUsernames.username, person.username)),
    ).toEqual([]);
    expect((await visit(`/space/${username}/public`)).headers.get("Location")).toBe(
      `/space/${person.username}/public`,
    );
  });

  test("gives the username to one of two members who ask at the same time", async () => {
    const [one, other] = [await signedUp(), await signedUp()];
    const username = fresh();
    const answers = await Promise.all([
      one.browser.post(USERNAME, { username }),
      other.browser.post(USERNAME, { username }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 409]);
    expect(await db.select().from(profiles).where(eq(profiles.username, username))).toHaveLength(1);
    expect(await db.select().from(authUsers).where(eq(authUsers.username, username))).toHaveLength(
      1,
    );
  });

  test("is refused after three changes within a year, with the date of the next one", async () => {
    const { browser, person } = await signedUp();
    for (let changes = 0; changes < 3; changes += 1)
      expect((await browser.post(USERNAME, { username: fresh() })).status).toBe(302);
    expect(await refusalIn(await browser.post(USERNAME, { username: fresh() }))).toMatch(
      /^429 Você já trocou de nome de usuário muitas vezes neste ano\. Tente de novo depois de \d\d\/\d\d\/\d{4}/,
    );
    expect((await browser.post(USERNAME, { username: person.username })).status).toBe(302);
  });

  test("requires recent authentication", async () => {
    const { browser } = await signedUp();
    pass(601_000);
    const username = fresh();
    const refused = await browser.post(USERNAME, { username });
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({
      link: { to: `/auth/confirm?to=${USERNAME}` },
      values: { username },
    });
  });

  test.each([
    ["", "400 Campo obrigatório"],
    ["ab", "400 O nome de usuário precisa ter de 3 a 256 caracteres."],
    ["joão", "400 Use só letras sem acento, números, ponto, hífen e sublinhado."],
    ["c0reto", "400 Este nome de usuário não está disponível. Escolha outro."],
    [
      "11912345678",
      "400 Use pelo menos uma letra: só com números, ele se confunde com um telefone.",
    ],
  ])("refuses %j", async (username, why) => {
    const { browser } = await signedUp();
    expect(await refusalIn(await browser.post(USERNAME, { username }))).toBe(why);
  });

  test("refuses the current username", async () => {
    const { browser, person } = await signedUp();
    expect(await refusalIn(await browser.post(USERNAME, { username: person.username }))).toBe(
      "400 Este já é o seu nome de usuário.",
    );
  });
});
