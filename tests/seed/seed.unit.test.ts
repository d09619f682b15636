import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import { TERMS_VERSION } from "#app/domain/identity/registration/rules/terms.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { localIdentity } from "#app/integrations/local-identity/provider.server.ts";
import { DEMO_PASSWORD } from "#drizzle/seed/life/people.ts";
import { seed, seedSmall } from "#drizzle/seed.ts";
import { seedFiles } from "#drizzle/seed/town/files.ts";
import { preparedMediaStore } from "#drizzle/seed/pictures/render.ts";
import { rehearse } from "#drizzle/seed/rehearsal/rehearsal.ts";
import { clerkUsers, LOCAL_PEOPLE } from "#scripts/clerk-users.ts";
import { migrate, readMigrations } from "#scripts/migrations.ts";
import { makeSeed, storeSeed } from "#scripts/seed.ts";
import { openStores } from "#scripts/stores.ts";
import { werkzeugAccepts } from "#tests/support/werkzeug.ts";
import { inRoot } from "#scripts/paths.ts";

const NOW = Date.parse("2026-11-20T22:30:00Z");

const SETTINGS = {
  appOrigin: "http://localhost:5173",
  sandboxOrigin: "http://127.0.0.1:5174",
  sandboxApiKey: "key",
  log: () => {},
  now: NOW,
};

/** Seeds real stores, D1 and R2 of Miniflare, as `npm start` does. */
async function seeded(world: typeof seed) {
  const dataDirectory = mkdtempSync(join(tmpdir(), "coreto-seed-"));
  const stores = await openStores(dataDirectory);
  const made = await makeSeed(stores, SETTINGS, world);
  await stores.miniflare.dispose();
  await storeSeed(dataDirectory, made);
  const opened = await openStores(dataDirectory);
  return {
    ...opened,
    close: async () => {
      await opened.miniflare.dispose();
      rmSync(dataDirectory, { recursive: true });
    },
  };
}

type Product = Awaited<ReturnType<typeof seeded>>;
let town: Product;

const rowsOf = async <Row>(db: D1Database, query: string): Promise<Row[]> =>
  (await db.prepare(query).all<Row>()).results;
const countOf = async (db: D1Database, query: string): Promise<number> =>
  Object.values((await rowsOf<Record<string, number>>(db, query))[0] ?? {})[0] ?? 0;

/** A busy machine takes many times longer than an idle one. */
const SEEDED_WITHIN_MS = 600_000;

beforeAll(async () => {
  town = await seeded(seed);
}, SEEDED_WITHIN_MS);

afterAll(async () => {
  await town.close();
});

/** What a database consists of; the runtime adds tables of its own. */
const SCHEMA = `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY type, name`;

test("the seeded databases are what D1 makes of the migrations, and need none again", async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "coreto-migrated-"));
  const migrated = await openStores(dataDirectory);
  try {
    for (const [name, directory] of [
      ["db", "drizzle"],
      ["pspDb", "workers/sandbox-psp"],
    ] as const) {
      const migrations = readMigrations(inRoot(directory, "migrations"));
      expect(await migrate(migrated[name], migrations)).toBe(migrations.length);
      expect(await rowsOf(town[name], SCHEMA)).toEqual(await rowsOf(migrated[name], SCHEMA));
      expect(await migrate(town[name], migrations)).toBe(0);
    }
  } finally {
    await migrated.miniflare.dispose();
    rmSync(dataDirectory, { recursive: true });
  }
}, 120_000);

test("every seeded member moves to Clerk with their password", async () => {
  const { users, ...left } = await clerkUsers(await rowsOf(town.db, LOCAL_PEOPLE), {
    authSecret: null,
  });
  expect(users).toHaveLength(73);
  expect(left).toEqual({
    unprovenCount: 0,
    withoutPasswordCount: 0,
    passkeysLeftCount: 0,
    factorsLeftCount: 0,
  });
  const ana = users.find(({ username }) => username === "ana");
  expect(ana).toMatchObject({
    email: ["ana@coreto.test"],
    firstName: "Ana",
    lastName: "Lira",
    passwordHasher: "scrypt_werkzeug",
  });
  expect(werkzeugAccepts(ana?.password ?? "", DEMO_PASSWORD)).toBe(true);
});

test("the seeded world is complete: members, posts, and every kind of access", async () => {
  expect(await countOf(town.db, "SELECT COUNT(*) FROM profiles WHERE is_creator = 1")).toBe(12);
  expect(await countOf(town.db, "SELECT COUNT(*) FROM people")).toBe(73);
  expect(await countOf(town.db, "SELECT COUNT(*) FROM posts")).toBe(240);
  const kinds = await rowsOf<{ kind: string }>(
    town.db,
    "SELECT DISTINCT kind FROM post_access_rules ORDER BY kind",
  );
  expect(kinds.map(({ kind }) => kind)).toEqual([
    "followers",
    "plan",
    "price",
    "public",
    "subscribers",
  ]);
});

test("payments took every path: paid, renewed, refunded, disputed, paid out and refused", async () => {
  const statuses = new Set(
    (await rowsOf<{ status: string }>(town.db, "SELECT DISTINCT status FROM charges")).map(
      ({ status }) => status,
    ),
  );
  for (const status of [
    "succeeded",
    "refunded",
    "expired",
    "failed",
    "dispute_won",
    "dispute_lost",
  ])
    expect(statuses).toContain(status);
  expect(
    await countOf(
      town.db,
      "SELECT COUNT(*) FROM charges WHERE period_starts_at IS NOT NULL AND status = 'succeeded'",
    ),
  ).toBeGreaterThan(50);
  expect(
    await countOf(town.db, "SELECT COUNT(*) FROM payouts WHERE status = 'paid'"),
  ).toBeGreaterThan(20);
  expect(
    await countOf(town.db, "SELECT COUNT(*) FROM payouts WHERE status = 'failed'"),
  ).toBeGreaterThan(0);
});

test("posts were sold singly: Bruno is in the cooling-off period of his last one, and one was refunded", async () => {
  const sold = await rowsOf<{ username: string; ended_reason: string | null; bought_at: number }>(
    town.db,
    "SELECT f.username, p.ended_reason, p.bought_at FROM purchases p JOIN profiles f ON f.person_id = p.person_id WHERE p.bought_at IS NOT NULL AND p.kind <> 'event' ORDER BY p.bought_at",
  );
  expect(sold.length).toBeGreaterThanOrEqual(6);
  expect(sold.filter(({ ended_reason }) => ended_reason === "regret")).toHaveLength(1);
  const ofBruno = sold.filter(({ username }) => username === "bruno");
  expect(ofBruno.map(({ ended_reason }) => ended_reason)).toEqual([null, null]);
  expect(ofBruno.at(-1)?.bought_at).toBeGreaterThan(NOW - 7 * DAY_MS);
});

test("at least twelve events of two months are free, paid, repeating, full, canceled and live", async () => {
  const [found] = await rowsOf<Record<string, number>>(
    town.db,
    `SELECT COUNT(DISTINCT COALESCE(series_id, id)) > 11 AS twelve, MAX(price_from_cents IS NULL) AS free, MAX(price_from_cents > 0) AS paid, MAX(series_id IS NOT NULL) AS repeating,
    MAX(seats_taken = capacity AND waiting_count > 0) AS full, MAX(status = 'canceled') AS canceled, MAX(status = 'published' AND starts_at <= ${NOW} AND ends_at > ${NOW}) AS live
    FROM events WHERE starts_at < ${NOW + 62 * DAY_MS}`,
  );
  expect(Object.entries(found ?? {}).filter(([, is]) => is !== 1)).toEqual([]);
});

test("Ana's last class is over, people came, and its recording waits for her click", async () => {
  const found = await rowsOf<{ link: string; id: string; seats: number }>(
    town.db,
    `SELECT e.id, e.link, e.seats_taken AS seats FROM events e JOIN profiles p ON p.person_id = e.creator_id
    WHERE p.username = 'ana' AND e.status = 'published' AND e.ends_at < ${NOW}`,
  );
  expect(found).toMatchObject([{ link: expect.stringContaining("youtube.com") }]);
  expect(found[0]?.seats).toBeGreaterThan(3);
  expect(await countOf(town.db, `SELECT COUNT(*) FROM posts WHERE id = '${found[0]?.id}'`)).toBe(0);
});

test("the ledger invariants hold, and no notification is pending", async () => {
  const { ctx } = await rehearse({
    ...SETTINGS,
    startAt: NOW,
    mediaStore: preparedMediaStore({
      put: () => Promise.reject(new Error("unused")),
    } as unknown as R2Bucket).store,
    log: () => {},
  });
  // Reads of all invariants at once use many connections. Miniflare closes those that waited while
  // another query ran for long, so a read that fails is made again.
  const read = () => invariantFindings({ ...ctx, db: openDatabase(town.db) });
  const findings = await read().catch(read);
  expect(findings.filter(({ rows }) => rows.length > 0)).toEqual([]);
  expect(await countOf(town.db, "SELECT COUNT(*) FROM outbox WHERE handled_at IS NULL")).toBe(0);
});

test("the provider has each charge, refund and transfer, with the same amounts", async () => {
  const ours = await rowsOf(
    town.db,
    "SELECT provider_charge_id AS id, amount_cents AS cents, refunded_cents AS refunded FROM charges WHERE provider_charge_id IS NOT NULL AND status <> 'failed' ORDER BY id",
  );
  const theirs = await rowsOf(
    town.pspDb,
    "SELECT id, amount_cents AS cents, refunded_cents AS refunded FROM charges WHERE status <> 'failed' ORDER BY id",
  );
  expect(ours).toEqual(theirs);
  const sent = await rowsOf(
    town.db,
    "SELECT provider_transfer_id AS id, amount_cents AS cents FROM payouts WHERE status = 'paid' ORDER BY id",
  );
  expect(sent).toEqual(
    await rowsOf(
      town.pspDb,
      "SELECT id, amount_cents AS cents FROM transfers WHERE status = 'paid' ORDER BY id",
    ),
  );
});

test("nothing happened after the seeded present, nor before its four months", async () => {
  for (const [table, column] of [
    ["posts", "published_at"],
    ["charges", "created_at"],
    ["comments", "created_at"],
    ["notifications", "created_at"],
    ["post_likes", "created_at"],
    ["payouts", "requested_at"],
  ]) {
    const [span] = await rowsOf<{ first: number; last: number }>(
      town.db,
      `SELECT MIN(${column}) AS first, MAX(${column}) AS last FROM ${table}`,
    );
    expect(span?.last).toBeLessThanOrEqual(NOW);
    expect(span?.first).toBeGreaterThanOrEqual(NOW - 123 * DAY_MS);
  }
});

test("Bruno has a history without Ana; she has the page of the design", async () => {
  const bruno = "(SELECT person_id FROM profiles WHERE username = 'bruno')";
  const ana = "(SELECT person_id FROM profiles WHERE username = 'ana')";
  expect(
    await countOf(
      town.db,
      `SELECT COUNT(*) FROM subscriptions WHERE fan_id = ${bruno} AND creator_id = ${ana}`,
    ),
  ).toBe(0);
  expect(
    await countOf(town.db, `SELECT COUNT(*) FROM subscriptions WHERE fan_id = ${bruno}`),
  ).toBeGreaterThan(2);
  expect(
    await countOf(town.db, `SELECT COUNT(*) FROM follows WHERE follower_id = ${bruno}`),
  ).toBeGreaterThan(2);
  expect(
    await rowsOf(
      town.db,
      `SELECT name, seats_limit AS seats, seats_taken AS taken FROM plans WHERE creator_id = ${ana} ORDER BY created_at, id`,
    ),
  ).toEqual([
    { name: "Banquinho", seats: null, taken: expect.any(Number) },
    { name: "Camarim", seats: null, taken: expect.any(Number) },
    { name: "Mestre de roda", seats: 20, taken: 12 },
  ]);
});

test("the town talks: Ana in 30 conversations and more, a long one, an audio, a file for sale, a broadcast and a request; Bruno in five", async () => {
  const listed = (username: string) =>
    rowsOf<{ box: string; lastSeq: number }>(
      town.db,
      `SELECT m.box, c.last_seq AS lastSeq FROM conversation_members m JOIN conversations c ON c.id = m.conversation_id
        JOIN profiles p ON p.person_id = m.person_id WHERE p.username = '${username}'`,
    );
  const ana = await listed("ana");
  expect(ana.length).toBeGreaterThanOrEqual(30);
  expect(Math.max(...ana.map(({ lastSeq }) => lastSeq))).toBeGreaterThanOrEqual(80);
  expect(ana.filter(({ box }) => box === "request")).toHaveLength(1);
  expect((await listed("bruno")).length).toBeGreaterThanOrEqual(5);
  expect(
    await rowsOf(
      town.db,
      "SELECT c.id FROM conversations c WHERE c.last_seq <> (SELECT COUNT(*) FROM messages m WHERE m.conversation_id = c.id)",
    ),
  ).toEqual([]);
  const files = await rowsOf<{ priceCents: number | null; isRecorded: number; count: number }>(
    town.db,
    "SELECT price_cents AS priceCents, recording IS NOT NULL AS isRecorded, (SELECT COUNT(*) FROM message_files f WHERE f.files_id = messages.files_id) AS count FROM messages WHERE files_id IS NOT NULL ORDER BY price_cents",
  );
  expect(files).toEqual([
    { priceCents: null, isRecorded: 1, count: 1 },
    { priceCents: 1_200, isRecorded: 0, count: 2 },
  ]);
  const broadcasts = await rowsOf<{ state: string; delivered: number }>(
    town.db,
    "SELECT state, delivered_count AS delivered FROM broadcasts",
  );
  expect(broadcasts).toEqual([{ state: "sent", delivered: expect.any(Number) }]);
  expect(broadcasts[0]?.delivered).toBeGreaterThan(0);
  // Who was notified, was so before the seeded present.
  expect(
    await countOf(town.db, "SELECT COUNT(*) FROM conversation_members WHERE notify_at IS NOT NULL"),
  ).toBeLessThan(3);
});

test("nobody accepted terms before their day, but those that are announced now", async () => {
  const accepted = await rowsOf<{ version: string; on: string; isNow: number }>(
    town.db,
    `SELECT version, date(accepted_at / 1000, 'unixepoch', '-3 hours') AS "on",
      accepted_at > ${NOW - 2 * 60_000} AS isNow FROM terms_acceptances`,
  );
  const earlier = accepted.filter(({ isNow }) => isNow === 0);
  expect(earlier.length).toBeGreaterThan(60);
  expect(earlier.filter(({ version, on }) => version > on)).toEqual([]);
  expect(
    new Set(accepted.filter(({ isNow }) => isNow === 1).map(({ version }) => version)),
  ).toEqual(new Set([TERMS_VERSION]));
});

test("Ana's page has a team: two members, and one invited", async () => {
  const seats = await rowsOf(
    town.db,
    "SELECT p.username, m.role FROM organization_members m JOIN profiles p ON p.person_id = m.person_id WHERE m.removed_at IS NULL ORDER BY m.joined_at, p.username",
  );
  expect(seats).toEqual([
    { username: "ana", role: "admin" },
    { username: "caio.brito", role: "guest_member" },
    { username: "lucia.amaral", role: "basic_member" },
  ]);
  expect(
    await rowsOf(
      town.db,
      "SELECT email, role FROM organization_invitations WHERE status = 'pending'",
    ),
  ).toEqual([{ email: "producao@coreto.test", role: "admin" }]);
});

test("the pictures are stored small, each with its thumbnail", async () => {
  const pictures = await rowsOf<{ id: string }>(
    town.db,
    "SELECT id FROM media WHERE purpose = 'post' ORDER BY id LIMIT 5",
  );
  for (const { id } of pictures) {
    const wide = await town.media.head(`media/${id}/1280`);
    const face = await town.media.head(`media/${id}/face`);
    expect(wide?.httpMetadata?.contentType).toBe("image/webp");
    expect(wide?.size).toBeLessThan(150_000);
    expect(face?.size).toBeLessThan(1_500);
  }
});

test("posts show uploaded audio, video and PDF, each of them on a public post too", async () => {
  const shown = await rowsOf<{
    id: string;
    kind: string;
    bytes: number;
    poster: number;
    captions: number;
    open: number;
  }>(
    town.db,
    `SELECT m.id, m.kind, m.size_bytes AS bytes, m.has_poster AS poster, m.captions_version AS captions,
      EXISTS (SELECT 1 FROM post_access_rules r WHERE r.post_id = pm.post_id AND r.kind = 'public') AS open
      FROM post_media pm JOIN media m ON m.id = pm.media_id JOIN media_uploads u ON u.id = m.id AND u.state = 'done'`,
  );
  expect(shown).toHaveLength(seedFiles.length);
  const openKinds = new Set(shown.filter(({ open }) => open === 1).map(({ kind }) => kind));
  expect([...openKinds].toSorted()).toEqual(["audio", "document", "video"]);
  for (const { id, kind, bytes, poster, captions } of shown) {
    expect((await town.media.head(`media/${id}/original`))?.size).toBe(bytes);
    if (kind !== "video") continue;
    expect(poster).toBe(1);
    expect(await town.media.head(`media/${id}/poster`)).not.toBeNull();
    const written = await town.media.get(`media/${id}/captions-${captions}`);
    expect(await written?.text()).toMatch(/^WEBVTT/);
  }
});

test.each(["audio", "document", "video"])(
  "a public post with %s is new enough to be among what is trending",
  async (kind) => {
    const [newest] = await rowsOf<{ at: number }>(
      town.db,
      `SELECT MAX(p.published_at) AS at FROM posts p JOIN post_media pm ON pm.post_id = p.id JOIN media m ON m.id = pm.media_id
        WHERE m.kind = '${kind}' AND p.likes_count > 0 AND EXISTS (SELECT 1 FROM post_access_rules r WHERE r.post_id = p.id AND r.kind = 'public')`,
    );
    expect(NOW - (newest?.at ?? 0)).toBeLessThan(8 * DAY_MS);
  },
);

test.each(["ana@coreto.test", "bruno@coreto.test", "carla@coreto.test", "ana"])(
  "%s signs in with the demo password",
  async (identifier) => {
    const identity = localIdentity({
      db: town.db,
      secret: "a secret of at least thirty-two letters",
      origin: SETTINGS.appOrigin,
    });
    const { user } = await identity.signIn(
      new Request(`${SETTINGS.appOrigin}/auth/login`, { method: "POST" }),
      { identifier, password: "coreto-demo-2026" },
    );
    expect(user.email).toBe(identifier.includes("@") ? identifier : `${identifier}@coreto.test`);
  },
  60_000,
);

test("the small seed is Ana, Bruno and Carla with five posts", async () => {
  const small = await seeded(seedSmall);
  try {
    expect(await countOf(small.db, "SELECT COUNT(*) FROM posts")).toBe(5);
    expect(await countOf(small.db, "SELECT COUNT(*) FROM plans WHERE state = 'active'")).toBe(3);
    expect(await countOf(small.db, "SELECT COUNT(*) FROM people WHERE is_moderator = 1")).toBe(1);
  } finally {
    await small.close();
  }
}, 60_000);
