import { beforeAll, describe, expect, test } from "vitest";
import * as palette from "#app/routes/resources/palette.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { creator, postRow } from "#tests/support/discovery.ts";
import { createPerson } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const ROUTE = { path: "resources/palette", module: palette };
const routes = callRoutesAs([ROUTE]);

type Found = {
  permissions: Record<"editsPlans" | "seesMoney" | "managesBilling", boolean>;
  people: { username: string }[];
  posts: { title: string; author: string }[];
};

const ask = (caller: ActingCaller, q = "", among = routes): Promise<Found> =>
  among.read<Found>(caller, `/resources/palette?${new URLSearchParams({ q })}`);

let world: World;
let fan: TestPerson;
beforeAll(async () => {
  world = await testContext();
  fan = await createPerson(world.ctx, "Fátima Reis");
});

describe("the palette's search", () => {
  test("finds at most five people and five posts, as the search of Explorar does", async () => {
    const authors = [];
    for (const end of ["Um", "Dois", "Três", "Quatro", "Cinco", "Seis"])
      authors.push(await creator(world.ctx, `Quitéria ${end}`));
    for (const { id: authorId } of authors)
      await postRow(world.ctx, { authorId, title: "Ensaio de quitéria" });
    const { people, posts } = await ask({ person: fan }, "quiteria");
    expect(people).toHaveLength(5);
    expect(posts).toHaveLength(5);
    expect(posts[0]?.title).toBe("Ensaio de quitéria");
    expect(authors.map(({ username }) => username)).toEqual(
      expect.arrayContaining(people.map(({ username }) => username)),
    );
  });

  test("finds nothing without a word, and for a word that nobody uses", async () => {
    expect(await ask({ person: fan })).toMatchObject({ people: [], posts: [] });
    expect(await ask({ person: fan }, "xyzzyqwvk")).toMatchObject({ people: [], posts: [] });
  });

  test("says what the person may do on the page that they act for", async () => {
    const team = await createTeamFor(world.ctx);
    const writer = await createTeammate(world.ctx, team, "basic_member");
    const all = { editsPlans: true, seesMoney: true, managesBilling: true };
    expect((await ask({ person: writer })).permissions).toEqual(all);
    expect((await ask({ person: writer, teamId: team.teamId })).permissions).toEqual({
      editsPlans: false,
      seesMoney: false,
      managesBilling: false,
    });
  });

  test("is limited on its own, with a message to show", async () => {
    const keys: string[] = [];
    const SEARCH_LIMITER = {
      limit: async ({ key }: { key: string }) => ({ success: keys.push(key) < 2 }),
    };
    const limited = callRoutesAs([ROUTE], { ...testEnv, SEARCH_LIMITER });
    await ask({ person: fan }, "rabeca", limited);
    const refused = await limited.get({ person: fan }, "/resources/palette?q=rabecas");
    expect(refused.status).toBe(429);
    expect(await refused.json()).toEqual({ error: expect.stringContaining("Muitas buscas") });
    expect(keys).toEqual([`palette:${fan.id}`, `palette:${fan.id}`]);
  });
});
