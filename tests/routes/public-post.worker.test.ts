import { beforeAll, describe, expect, test } from "vitest";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { isPublicPage } from "#app/http/headers/cache.ts";
import * as publicPost from "#app/routes/public/post.tsx";
import * as embed from "#app/routes/resources/embed.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createRouteCaller, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

const ask = createRouteCaller([
  { path: "space/:username/public/:postId", module: publicPost },
  { path: "embed/:provider/:videoId", module: embed },
]);
const get = (path: string) => ask(new Request(TEST_ORIGIN + path));

type Shown = {
  post: { title: string; access: { visible: boolean } };
  html: string | null;
  neighbours: { side: string; id: string; title: string }[];
  pageUrl: string;
};

let world: World;
let ana: Seller;
const ids: string[] = [];

beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  const words = { authorId: ana.id, teaser: "Só a chamada", planIds: [], image: null };
  for (const [title, audience] of [
    ["Primeira", "public"],
    ["Segunda", "subscribers"],
    ["Terceira", "public"],
  ] as const) {
    ids.push(
      (
        await publishPost(world.ctx, {
          ...words,
          title,
          audience,
          content: `**Conteúdo** de ${title}`,
        })
      ).postId,
    );
  }
});

const pathOf = (index: number, username = ana.username) =>
  `/space/${username}/public/${ids[index] ?? ""}`;
const shown = async (index: number): Promise<Shown> => await (await get(pathOf(index))).json();

describe("public page of a post", () => {
  test("shows a public post whole as sanitised HTML, and is cacheable without a cookie", async () => {
    const answer = await get(pathOf(0));
    expect(answer.headers.get("Cache-Control")).toMatch(/^public, .*s-maxage/);
    expect(answer.headers.get("Set-Cookie")).toBeNull();
    expect(await answer.json()).toMatchObject({
      html: "<p><strong>Conteúdo</strong> de Primeira</p>",
      pageUrl: TEST_ORIGIN + pathOf(0),
    });
    expect(isPublicPage(pathOf(0))).toBe(true);
  });

  test("of a locked post shows the teaser and none of the text", async () => {
    const answer = await (await get(pathOf(1))).text();
    expect(answer).toContain("Só a chamada");
    expect(answer).not.toContain("Conteúdo");
  });

  test("links to the posts before and after by the same creator", async () => {
    expect((await shown(0)).neighbours).toEqual([{ side: "newer", id: ids[1], title: "Segunda" }]);
    expect(
      (await shown(1)).neighbours.map(({ side, title }) => `${side} ${title}`).toSorted(),
    ).toEqual(["newer Terceira", "older Primeira"]);
    expect((await shown(2)).neighbours).toEqual([{ side: "older", id: ids[1], title: "Segunda" }]);
  });

  test("redirects to the creator's current username, and answers 404 for an unknown post", async () => {
    const moved = await get(pathOf(0, "outro-nome"));
    expect([moved.status, moved.headers.get("Location")]).toEqual([301, pathOf(0)]);
    expect((await get(`/space/${ana.username}/public/nada`)).status).toBe(404);
  });
});

describe("embedded video player", () => {
  test("may frame its provider only, and be framed only by this site", async () => {
    const answer = await get("/embed/youtube/dQw4w9WgXcQ");
    const policy = answer.headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("frame-src https://www.youtube-nocookie.com;");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(answer.headers.get("X-Frame-Options")).toBe("SAMEORIGIN");
    expect(await answer.text()).toContain(
      'src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1"',
    );
    expect((await get("/embed/vimeo/76979871")).headers.get("Content-Security-Policy")).toContain(
      "frame-src https://player.vimeo.com;",
    );
  });

  test.each([
    "/embed/youtube/curto",
    "/embed/outro/76979871",
    `/embed/vimeo/${encodeURIComponent('"><script>')}`,
  ])("%s answers 404", async (path) => {
    expect((await get(path)).status).toBe(404);
  });
});
