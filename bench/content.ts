import type { ChildProcess } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { inRoot } from "#scripts/paths.ts";
import { freePortPair } from "#scripts/ports.ts";
import { createFormClient, signUpMember } from "#tests/support/form-client.ts";
import type { FormClient } from "#tests/support/form-client.ts";
import {
  POPULAR_AUTHOR,
  measuredPostId,
  peopleStatements,
  postStatements,
  readerStatements,
  baseDataStatements,
} from "#tests/support/large-dataset.ts";
import type { DatasetSize, Reader } from "#tests/support/large-dataset.ts";
import { median, startServer, stopServer } from "./harness.ts";
import type { Measurement } from "./harness.ts";
import { sized } from "./size.ts";
import { DB_ROWS_HEADER, DB_CALLS_HEADER } from "./instrumented-worker.ts";

/** Source: issue 4, "Numbers". The 200,000 followers of one creator are in addition to the 50,000. */
const POSTS = sized([1_000, 100_000, 1_000_000], [200]);
const CROWD: DatasetSize = sized(
  { people: 50_000, followers: 200_000 },
  { people: 500, followers: 2_000 },
);
const ROWS_MAY_GROW = 1.1;
const MEDIAN_MAY_GROW = 1.3;
const TRIPS_MAX = 2;

const WARM_UP_ROUNDS = sized(5, 0);
const ROUNDS = sized(60, 1);
const READERS = ["everyday", "quiet", "newcomer"] as const;

type Page = { name: string; reader: Reader | null; path: string };

const PAGES: Page[] = [
  { name: "feed of who follows 41, one with 200,000 followers", reader: "everyday", path: "/" },
  { name: "feed of who follows 30 that seldom publish", reader: "quiet", path: "/" },
  { name: "feed of a newcomer", reader: "newcomer", path: "/" },
  { name: "creator page, public", reader: null, path: `/space/${POPULAR_AUTHOR}/public` },
  { name: "creator page, a member's", reader: "everyday", path: `/space/${POPULAR_AUTHOR}` },
  {
    name: "post, public",
    reader: null,
    path: `/space/${POPULAR_AUTHOR}/public/${measuredPostId()}`,
  },
  { name: "post, a member's", reader: "everyday", path: `/post/${measuredPostId()}` },
];

type ContentWorld = { posts: number; server: ChildProcess; as: Map<Reader | null, FormClient> };
type Sample = { ms: number; rows: number; trips: number };

/**
 * Measures the feed, a creator page and a post over HTTP, in turns, at each number of posts.
 * Reports the rows that D1 reads for a page, the round trips, and the median time. `posts` sets
 * other numbers, ascending.
 */
export async function benchContent(posts: readonly number[] = POSTS): Promise<Measurement[]> {
  const directory = mkdtempSync(join(tmpdir(), "coreto-bench-content-"));
  const towns: ContentWorld[] = [];
  try {
    const { directories, cookies } = await filled(directory, posts);
    for (const [index, dataDirectory] of directories.entries())
      towns.push(await opened(posts[index] ?? 0, dataDirectory, cookies));
    return await measured(towns);
  } finally {
    for (const { server } of towns) await stopServer(server);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Creates a data directory for each number of posts, each filled from the one before it. */
async function filled(
  directory: string,
  posts: readonly number[],
): Promise<{ directories: string[]; cookies: Map<Reader, string> }> {
  const now = Date.now();
  const mostPosts = posts.at(-1) ?? 0;
  const first = join(directory, "first");
  const { cookies, emails } = await withReaders(first);
  const directories: string[] = [];
  let from = 0;
  for (const to of posts) {
    const target = join(directory, String(to));
    cpSync(directories.at(-1) ?? first, target, { recursive: true });
    const more = postStatements(CROWD, { from, to, mostPosts, now });
    const readers = READERS.flatMap((reader) =>
      readerStatements(
        reader,
        `(SELECT id FROM people WHERE email = '${emails.get(reader) ?? ""}')`,
        now,
      ),
    );
    fill(
      target,
      from === 0
        ? [
            ...peopleStatements(CROWD, now),
            ...more,
            ...baseDataStatements(CROWD, { mostPosts, now }),
            ...readers,
          ]
        : more,
    );
    directories.push(target);
    from = to;
  }
  return { directories, cookies };
}

/** Starts the migrated product with only the readers, who sign up through its forms. */
async function withReaders(
  dataDirectory: string,
): Promise<{ cookies: Map<Reader, string>; emails: Map<Reader, string> }> {
  const port = await freePortPair();
  const server = await startServer(
    inRoot("scripts", "serve.ts"),
    { PORT: String(port), CORETO_DATA_DIRECTORY: dataDirectory, CORETO_SEED: "false" },
    `http://127.0.0.1:${port + 1}`,
  );
  const [cookies, emails] = [new Map<Reader, string>(), new Map<Reader, string>()];
  try {
    for (const reader of READERS) {
      const member = await signUpMember(`http://localhost:${port}`, "Quem Lê");
      cookies.set(reader, member.cookies());
      emails.set(reader, member.email);
    }
  } finally {
    await stopServer(server);
  }
  return { cookies, emails };
}

/** Runs the statements in the product's own database file, as one transaction. */
function fill(dataDirectory: string, statements: string[]): void {
  const database = productDatabase(join(dataDirectory, "d1", "miniflare-D1DatabaseObject"));
  database.exec("PRAGMA synchronous = OFF; BEGIN");
  for (const statement of statements) database.exec(statement);
  database.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

function productDatabase(directory: string): DatabaseSync {
  for (const file of readdirSync(directory).filter((name) => name.endsWith(".sqlite"))) {
    const database = new DatabaseSync(join(directory, file));
    if (
      database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'posts'").get()
    )
      return database;
    database.close();
  }
  throw new Error(`no database of the product in ${directory}`);
}

async function opened(
  posts: number,
  dataDirectory: string,
  cookies: Map<Reader, string>,
): Promise<ContentWorld> {
  const port = await freePortPair();
  const server = await startServer(
    inRoot("bench", "server.ts"),
    { PORT: String(port), CORETO_DATA_DIRECTORY: dataDirectory },
    "bench server ready",
  );
  const origin = `http://localhost:${port}`;
  return {
    posts,
    server,
    as: new Map<Reader | null, FormClient>([
      [null, createFormClient(origin)],
      ...READERS.map((reader) => [reader, createFormClient(origin, cookies.get(reader))] as const),
    ]),
  };
}

async function measured(towns: readonly ContentWorld[]): Promise<Measurement[]> {
  const [smallest] = towns;
  if (!smallest) return [];
  const found: Measurement[] = [];
  for (const page of PAGES) {
    const samples = new Map<ContentWorld, Sample[]>(towns.map((world) => [world, []]));
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
      // The order changes each time, so that a busy moment affects all alike.
      for (const [index] of towns.entries()) {
        const world = towns[(index + Math.abs(round)) % towns.length] ?? smallest;
        const sample = await asked(world, page, round);
        if (round >= 0) samples.get(world)?.push(sample);
      }
    }
    const middle = (world: ContentWorld, of: (sample: Sample) => number) =>
      median((samples.get(world) ?? []).map(of));
    for (const world of towns.slice(1)) {
      const at = `${page.name}, ${world.posts.toLocaleString("en")} posts`;
      found.push(
        compared(
          `${at}: rows read`,
          "rows",
          [world, smallest].map((one) => middle(one, ({ rows }) => rows)),
          ROWS_MAY_GROW,
        ),
      );
      found.push(
        compared(
          `${at}: median`,
          "ms",
          [world, smallest].map((one) => middle(one, ({ ms }) => ms)),
          MEDIAN_MAY_GROW,
        ),
      );
    }
    found.push(
      compared(
        `${page.name}: round trips, of ${TRIPS_MAX}`,
        "",
        [Math.max(...towns.map((world) => middle(world, ({ trips }) => trips))), TRIPS_MAX],
        1,
      ),
    );
  }
  return found;
}

function compared(
  name: string,
  unit: string,
  [value = Number.NaN, baseline = Number.NaN]: number[],
  limit: number,
): Measurement {
  return {
    name,
    value: rounded(value),
    unit,
    baseline: rounded(baseline),
    ratio: rounded(value / baseline),
    limit,
  };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Reads one page to its last byte. A public page is requested under an address that no cache has. */
async function asked(
  { as }: ContentWorld,
  { name, reader, path }: Page,
  round: number,
): Promise<Sample> {
  const startedAt = performance.now();
  const answer = await as
    .get(reader)
    ?.get(reader === null ? `${path}?bench=${round}-${startedAt}` : path);
  await answer?.text();
  if (answer?.status !== 200) throw new Error(`${name}: ${path} answered ${answer?.status}`);
  return {
    ms: performance.now() - startedAt,
    rows: Number(answer.headers.get(DB_ROWS_HEADER)),
    trips: Number(answer.headers.get(DB_CALLS_HEADER)),
  };
}
