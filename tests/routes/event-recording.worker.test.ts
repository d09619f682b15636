import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { deletePost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import * as event from "#app/routes/events/event.tsx";
import * as recording from "#app/routes/events/live/recording.tsx";
import { events } from "#drizzle/schema/events.ts";
import { postAccessRules, posts } from "#drizzle/schema/posts.ts";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { publishedEvent } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

const routes = callRoutesAs([
  { path: "events/:id", module: event },
  { path: "events/:id/recording", module: recording },
]);

let world: World;
let ana: Seller;
let creator: ActingCaller;
let eventId: string;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  creator = { person: ana, isCreator: true };
  const startsAt = world.ctx.now() + HOUR_MS;
  eventId = await publishedEvent(world.ctx, ana, {
    title: "Aula de rabeca",
    startsAt,
    endsAt: startsAt + HOUR_MS,
    link: "https://youtu.be/dQw4w9WgXcQ",
  });
});

/** The event took place. */
const end = () =>
  world.ctx.db
    .update(events)
    .set({ startsAt: sql`starts_at - ${3 * HOUR_MS}`, endsAt: sql`ends_at - ${3 * HOUR_MS}` })
    .where(eq(events.id, eventId));
const click = () => routes.post(creator, `/events/${eventId}/recording`, {});
const offered = async () =>
  (await routes.read<{ mayPublishRecording: boolean }>(creator, `/events/${eventId}`))
    .mayPublishRecording;
const drafts = async () =>
  await world.ctx.db.select().from(posts).where(eq(posts.authorId, ana.id));

describe("the recording of an event", () => {
  test("becomes one draft for who could come, however often it is clicked", async () => {
    expect(await offered()).toBe(false);
    expect((await click()).status).toBe(409);
    await end();
    expect(await offered()).toBe(true);
    for (const _ of [1, 2])
      expect((await click()).headers.get("Location")).toBe(`/post/${eventId}/edit`);
    expect(await drafts()).toMatchObject([
      { id: eventId, title: "Gravação: Aula de rabeca", state: "draft" },
    ]);
    expect(
      await world.ctx.db.select().from(postAccessRules).where(eq(postAccessRules.postId, eventId)),
    ).toMatchObject([{ kind: "public" }]);
  });

  test("becomes a new draft after the first was deleted", async () => {
    await end();
    await click();
    await deletePost(world.ctx, { postId: eventId, authorId: ana.id });
    const place = (await click()).headers.get("Location");
    expect(place).toMatch(/^\/post\/[0-9a-z-]+\/edit$/);
    expect(place).not.toContain(eventId);
    expect(await drafts()).toHaveLength(2);
  });

  test("is nobody else's to publish", async () => {
    await end();
    const other: ActingCaller = { person: await createSeller(world.ctx), isCreator: true };
    const fan: ActingCaller = { person: await createPerson(world.ctx, "Bia") };
    for (const who of [other, fan])
      expect(await responseOutcome(routes.post(who, `/events/${eventId}/recording`, {}))).toBe(
        "404",
      );
    expect(await drafts()).toEqual([]);
  });
});
