import { and, eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { createBroadcast, scheduleBroadcast } from "#app/domain/broadcasts/commands.server.ts";
import { sendBroadcastPage } from "#app/domain/broadcasts/commands/send.server.ts";
import { broadcastOf } from "#app/domain/broadcasts/queries.server.ts";
import { nextRecipients } from "#app/domain/broadcasts/queries/recipients.server.ts";
import { canDeliver } from "#app/domain/broadcasts/rules.ts";
import { loadWriting } from "#app/domain/messages/queries/writing.server.ts";
import { changeConversation } from "#app/domain/messages/commands/members.server.ts";
import { storeUploadedFile } from "#app/domain/messages/commands/files.server.ts";
import type { Box } from "#app/domain/messages/rules.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { conversationMembers } from "#drizzle/schema/messages.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { interleaveAfterWrite, interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { pdf } from "#tests/support/media-files.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
});
const { follows, open, write } = messageHelpers(() => world);

type Act = Parameters<typeof changeConversation>[1]["act"];
const change = (person: { id: string }, conversationId: string, act: Act) =>
  changeConversation(world.ctx, { conversationId, personId: person.id, act });
/** Opens a conversation in which Ana has read everything. */
async function opened(fan: TestPerson, ...acts: Act[]): Promise<string> {
  const id = await open(fan, ana);
  await change(ana, id, "read");
  for (const act of acts) await change(fan, id, act);
  return id;
}
/** Ana writes to a fan. Then the conversation is in a box of the fan's, or of hers. */
async function written(fan: TestPerson, box: Box, whose: { id: string } = fan): Promise<void> {
  const { conversationId } = await write(ana, fan);
  const m = conversationMembers;
  await world.ctx.db
    .update(m)
    .set({ box })
    .where(and(eq(m.conversationId, conversationId), eq(m.personId, whose.id)));
}
const closeAccount = (fan: TestPerson, column: "bannedAt" | "leavingAt") =>
  world.ctx.db
    .update(people)
    .set({ [column]: world.ctx.now() })
    .where(eq(people.id, fan.id));

type Happening = (fan: TestPerson) => Promise<unknown>;
/** Every kind of recipient, by what happened before the broadcast. */
const BEFORE: Record<string, Happening> = {
  "no conversation": async () => undefined,
  open: (fan) => opened(fan),
  "open, Ana has unread ones": async (fan) => {
    await opened(fan);
    await write(fan, ana, "Quando é o show?");
  },
  "open, one of Ana's waits": async (fan) => {
    await opened(fan);
    await write(ana, fan, "Amanhã");
  },
  muted: (fan) => opened(fan, "mute"),
  archived: (fan) => opened(fan, "archive"),
  "archived and muted": (fan) => opened(fan, "mute", "archive"),
  "archived by Ana": async (fan) => await change(ana, await opened(fan), "archive"),
  "request at Ana's": (fan) => write(fan, ana),
  "refused by Ana": async (fan) =>
    await change(ana, (await write(fan, ana)).conversationId, "refuse"),
  "earlier broadcast": (fan) => written(fan, "broadcast", ana),
  "request of Ana's": (fan) => written(fan, "request"),
};
/** The kinds that are skipped, by what happened after the recipients were fixed. */
const AFTER: Record<string, Happening> = {
  "refused Ana": (fan) => written(fan, "refused"),
  "blocked Ana": (fan) => block(world.ctx, { personId: fan.id, otherId: ana.id }),
  "blocked by Ana": (fan) => block(world.ctx, { personId: ana.id, otherId: fan.id }),
  banned: (fan) => closeAccount(fan, "bannedAt"),
  leaving: (fan) => closeAccount(fan, "leavingAt"),
  "has a page for adults": (fan) =>
    world.ctx.db.update(profiles).set({ isAdult: true }).where(eq(profiles.personId, fan.id)),
};

/** Sends a page with one recipient of every kind. Returns it, and the rows of each kind. */
async function sentPage(text: string, files?: { priceCents: number | null }) {
  const { ctx } = world;
  const fans: { kind: string; fan: TestPerson }[] = [];
  for (const kind of [...Object.keys(BEFORE), ...Object.keys(AFTER)]) {
    const fan = await createPerson(ctx, `${kind.replaceAll(" ", "-")} Silva`);
    await follows(fan, ana);
    await BEFORE[kind]?.(fan);
    fans.push({ kind, fan });
  }
  const file = new File([pdf()], "a.pdf", { type: "application/pdf" });
  const uploaded = files
    ? [{ mediaId: (await storeUploadedFile(ctx, { personId: ana.id, file })).id, alt: "" }]
    : [];
  const id = await createBroadcast(ctx, {
    creatorId: ana.id,
    writtenById: "teammate",
    segment: "followers",
    planIds: [],
    text,
    ...(files && { files: { savedIds: [], uploaded, files: [], isSensitive: true, ...files } }),
  });
  await world.advance(MINUTE_MS);
  await scheduleBroadcast(ctx, { id, creatorId: ana.id, sendAt: null });
  const fixed = async () => {
    for (const { kind, fan } of fans) await AFTER[kind]?.(fan);
  };
  await sendBroadcastPage(interleaveAfterWrite(ctx, fixed, /insert into "broadcast_recipients"/i), {
    broadcastId: id,
  });
  const rows: Record<string, string> = {};
  for (const { kind, fan } of fans) rows[kind] = await rowsOf(id, fan);
  return { rows, broadcast: await broadcastOf(ctx, { id, creatorId: ana.id }) };
}

/** What is stored for a recipient, as one line. Times are minutes since the broadcast. */
async function rowsOf(broadcastId: string, fan: TestPerson): Promise<string> {
  const minutes = (column: string) => sql.raw(`((${column} - ${world.ctx.now()}) / ${MINUTE_MS})`);
  const side = (alias: string) =>
    sql.join(
      [
        sql.raw(
          `${alias}.box || ' read ' || ${alias}.read_seq || ' unread ' || ${alias}.unread_count`,
        ),
        sql.raw(
          `iif(${alias}.is_unread, ' new', '') || iif(${alias}.notify_at IS NULL, '', ' notify')`,
        ),
        sql`' at ' || ${minutes(`${alias}.last_at`)}`,
      ],
      sql` || `,
    );
  const row = await world.ctx.db.get<Record<string, unknown>>(sql`
    SELECT r.seq AS seq, c.last_seq || '/' || c.revision AS counts, ${side("own")} AS own, ${side("theirs")} AS theirs,
      m.seq || '/' || m.revision || ' ' || m.body || ' by ' || m.written_by_id || ' at ' || ${minutes("m.created_at")} AS message,
      m.client_message_id = 'broadcast:' || r.broadcast_id AS is_keyed, m.files_id = r.broadcast_id AS shares,
      m.is_sensitive AS sensitive, m.price_cents AS price,
      (SELECT COUNT(*) FROM searchable_messages s WHERE s.message_id = m.id) AS searchable
    FROM broadcast_recipients r LEFT JOIN conversations c ON c.id = r.conversation_id
      LEFT JOIN conversation_members own ON own.conversation_id = c.id AND own.person_id = ${ana.id} AND own.other_id = r.person_id
      LEFT JOIN conversation_members theirs ON theirs.conversation_id = c.id AND theirs.person_id = r.person_id AND theirs.other_id = ${ana.id}
      LEFT JOIN messages m ON m.conversation_id = c.id AND m.seq = r.seq AND m.sender_id = ${ana.id}
    WHERE r.broadcast_id = ${broadcastId} AND r.person_id = ${fan.id}`);
  if (!row) return "no row";
  return row.seq === null ? "skipped" : Object.values(row).join(" | ");
}

/** The sides and the message that each kind ends with. */
const STORED = {
  "no conversation":
    "1 | 1/1 | broadcast read 1 unread 0 at 0 | inbox read 0 unread 1 new at 0 | 1/1",
  open: "2 | 2/2 | inbox read 2 unread 0 at -1 | inbox read 1 unread 1 new at 0 | 2/2",
  "open, Ana has unread ones":
    "3 | 3/3 | inbox read 1 unread 1 new notify at -1 | inbox read 2 unread 1 new at 0 | 3/3",
  "open, one of Ana's waits":
    "3 | 3/3 | inbox read 3 unread 0 at -1 | inbox read 1 unread 2 new notify at 0 | 3/3",
  muted: "2 | 2/2 | inbox read 2 unread 0 at -1 | inbox read 1 unread 1 new at 0 | 2/2",
  archived: "2 | 2/2 | inbox read 2 unread 0 at -1 | inbox read 1 unread 1 new at 0 | 2/2",
  "archived and muted":
    "2 | 2/2 | inbox read 2 unread 0 at -1 | archived read 1 unread 1 new at 0 | 2/2",
  "archived by Ana":
    "2 | 2/2 | archived read 2 unread 0 at -1 | inbox read 1 unread 1 new at 0 | 2/2",
  "request at Ana's":
    "2 | 2/2 | request read 0 unread 1 new at -1 | inbox read 1 unread 1 new at 0 | 2/2",
  "refused by Ana":
    "2 | 2/2 | refused read 0 unread 1 at -1 | inbox read 1 unread 1 new at 0 | 2/2",
  "earlier broadcast":
    "2 | 2/2 | broadcast read 2 unread 0 at -1 | inbox read 0 unread 2 new notify at 0 | 2/2",
  "request of Ana's":
    "2 | 2/2 | inbox read 2 unread 0 at -1 | request read 0 unread 2 new notify at 0 | 2/2",
};
const SKIPPED = Object.fromEntries(Object.keys(AFTER).map((kind) => [kind, "skipped"]));

/** The rows of a page whose messages have a text and the columns of their files. */
const storedWith = (text: (kind: string) => string, files: string) => ({
  ...Object.fromEntries(
    Object.entries(STORED).map(([kind, row]) => [
      kind,
      `${row} ${text(kind)} by teammate at 0 | ${files}`,
    ]),
  ),
  ...SKIPPED,
});

test("a page stores one message for every kind of recipient, and moves each side as a message does", async () => {
  const { rows, broadcast } = await sentPage("Tem show!");
  expect(rows).toEqual(storedWith(() => "Tem show!", "1 |  | 0 |  | 1"));
  expect(broadcast).toMatchObject({
    state: "sent",
    deliveredCount: Object.keys(BEFORE).length,
    skippedCount: Object.keys(AFTER).length,
  });
});

test("a page with the name and priced files stores both in each message", async () => {
  const { rows } = await sentPage("Oi, {nome}!", { priceCents: 2_000 });
  expect(rows).toEqual(
    storedWith((kind) => `Oi, ${kind.replaceAll(" ", "-")}!`, "1 | 1 | 1 | 2000 | 1"),
  );
});

test("a page reads of each recipient what a single message reads", async () => {
  const { broadcast } = await sentPage("Tem show!");
  if (!broadcast) throw new Error("no broadcast");
  const recipients = await nextRecipients(world.ctx, { ...broadcast, progress: null });
  expect(recipients).toHaveLength(Object.keys({ ...BEFORE, ...AFTER }).length);
  for (const { personId, name, isMuted, ...read } of recipients) {
    const target = { personId: ana.id, otherId: personId };
    const single = await loadWriting(world.ctx, target, "");
    expect(single, name).toMatchObject(read);
    expect(canDeliver(read), name).toBe(single !== null && canDeliver(single));
    expect(isMuted, name).toBe(name.includes("muted"));
  }
});

test("a page is refused whole where somebody blocks its creator, and the next attempt skips them", async () => {
  const fans = [await createPerson(world.ctx, "Bia"), await createPerson(world.ctx, "Caio")];
  for (const fan of fans) await follows(fan, ana);
  const id = await createBroadcast(world.ctx, {
    creatorId: ana.id,
    writtenById: "teammate",
    segment: "followers",
    planIds: [],
    text: "Tem show!",
  });
  await scheduleBroadcast(world.ctx, { id, creatorId: ana.id, sendAt: null });
  const [bia, caio] = fans;
  if (!bia || !caio) throw new Error("too few");
  const blocking = () => block(world.ctx, { personId: bia.id, otherId: ana.id });
  await sendBroadcastPage(interleaveBeforeWrite(world.ctx, blocking, /INSERT INTO messages/), {
    broadcastId: id,
  });
  expect(await rowsOf(id, bia)).toBe("skipped");
  expect(await rowsOf(id, caio)).toContain("Tem show!");
  expect(await broadcastOf(world.ctx, { id, creatorId: ana.id })).toMatchObject({
    deliveredCount: 1,
    skippedCount: 1,
  });
});
