import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { EventInput } from "#app/domain/events/schema.ts";
import { deletePost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import * as event from "#app/routes/events/event.tsx";
import * as recording from "#app/routes/events/live/recording.tsx";
import * as unpublication from "#app/routes/studio/posts/post-unpublication.tsx";
import { events } from "#drizzle/schema/events.ts";
import { media } from "#drizzle/schema/media.ts";
import { postAccessRules, postMedia, posts } from "#drizzle/schema/posts.ts";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { publishedEvent } from "#tests/support/events.ts";
import { pngImage } from "#tests/support/images.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

const routes = callRoutesAs([
  { path: "events/:id", module: event },
  { path: "events/:id/recording", module: recording },
  { path: "post/:id/unpublication", module: unpublication },
]);

let world: World;
let ana: Seller;
let creator: ActingCaller;
let eventId: string;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  creator = { person: ana, isCreator: true };
  eventId = await recordedEvent();
});

async function recordedEvent(input: Partial<EventInput> = {}): Promise<string> {
  const startsAt = world.ctx.now() + HOUR_MS;
  return publishedEvent(world.ctx, ana, {
    title: "Aula de rabeca",
    description: "Traga o arco.",
    startsAt,
    endsAt: startsAt + HOUR_MS,
    link: "https://youtu.be/dQw4w9WgXcQ",
    ...input,
  });
}

/** The event took place. */
const end = () =>
  world.ctx.db
    .update(events)
    .set({ startsAt: sql`starts_at - ${3 * HOUR_MS}`, endsAt: sql`ends_at - ${3 * HOUR_MS}` })
    .where(eq(events.id, eventId));
const click = (fields: Record<string, string> = {}) =>
  routes.post(creator, `/events/${eventId}/recording`, fields);
type Offered = { state: string | null; audience: string } | null;
const offered = async () =>
  (await routes.read<{ recording: Offered }>(creator, `/events/${eventId}`)).recording;
const written = async () =>
  await world.ctx.db.select().from(posts).where(eq(posts.authorId, ana.id));
const announced = async () =>
  (
    await world.env.DB.prepare("SELECT id FROM outbox WHERE id LIKE ? || '%:published'")
      .bind(`post:${eventId}`)
      .all<{ id: string }>()
  ).results.map(({ id }) => id);

describe("the recording of an event", () => {
  test("becomes one published post for who could come, however often it is clicked", async () => {
    expect(await offered()).toBeNull();
    expect((await click()).status).toBe(409);
    await end();
    expect(await offered()).toMatchObject({ state: null, audience: "para todo mundo" });
    for (const answer of await Promise.all([click(), click()]))
      expect(answer.headers.get("Location")).toBe(`/post/${eventId}`);
    expect((await click()).headers.get("Location")).toBe(`/post/${eventId}`);
    expect(await written()).toMatchObject([
      {
        id: eventId,
        title: "Gravação: Aula de rabeca",
        state: "published",
        publishedAt: expect.any(Number),
        content: expect.stringContaining("https://youtu.be/dQw4w9WgXcQ\n\nTraga o arco."),
      },
    ]);
    expect(
      await world.ctx.db.select().from(postAccessRules).where(eq(postAccessRules.postId, eventId)),
    ).toMatchObject([{ kind: "public" }]);
    // Followers hear of it once, as of any published post.
    expect(await announced()).toEqual([`post:${eventId}:published`]);
    expect(await offered()).toMatchObject({ state: "published", postId: eventId });
  });

  test("is taken back by the toast's form, and stays as the draft that there is", async () => {
    await end();
    const toast = decodeURIComponent((await click()).headers.get("Set-Cookie") ?? "");
    expect(atob(/__Host-toast=([^;]+)/.exec(toast)?.[1] ?? "")).toContain(
      `"undo":"/post/${eventId}/unpublication"`,
    );
    expect((await routes.post(creator, `/post/${eventId}/unpublication`, {})).status).toBe(302);
    expect(await offered()).toMatchObject({ state: "draft" });
    expect((await click()).headers.get("Location")).toBe(`/post/${eventId}/edit`);
    expect(await written()).toMatchObject([{ state: "draft" }]);
  });

  test("may be prepared as a draft first, of which nobody hears", async () => {
    await end();
    for (const _ of [1, 2])
      expect((await click({ asDraft: "true" })).headers.get("Location")).toBe(
        `/post/${eventId}/edit`,
      );
    expect(await written()).toMatchObject([{ id: eventId, state: "draft" }]);
    expect(await announced()).toEqual([]);
  });

  test("has the cover of the event as its picture, which stays when the event's goes", async () => {
    await world.ctx.db.delete(events);
    const cover = { bytes: await pngImage(900, 600) };
    eventId = await recordedEvent({ cover, coverAlt: "A rabeca na mesa" });
    await end();
    await click();
    const [picture] = await world.ctx.db
      .select({ id: media.id, alt: media.alt, purpose: media.purpose, width: media.width })
      .from(media)
      .innerJoin(postMedia, eq(postMedia.mediaId, media.id));
    expect(picture).toMatchObject({ alt: "A rabeca na mesa", purpose: "post", width: 900 });
    const event = await world.ctx.db.select().from(events).where(eq(events.id, eventId));
    expect(picture?.id).not.toBe(event[0]?.coverMediaId);
  });

  test("becomes a new post after the first was deleted, and one only", async () => {
    await end();
    await click();
    await deletePost(world.ctx, { postId: eventId, authorId: ana.id });
    expect(await offered()).toMatchObject({ state: null });
    const places = await Promise.all([click(), click()]);
    expect(places.map((answer) => answer.headers.get("Location"))).toEqual([
      `/post/${eventId}-2`,
      `/post/${eventId}-2`,
    ]);
    expect(await written()).toHaveLength(2);
  });

  test("does not open the post of somebody who took its id", async () => {
    const other = await createSeller(world.ctx);
    await world.ctx.db.insert(posts).values({
      id: eventId,
      authorId: other.id,
      title: "Outra coisa",
      teaser: "",
      content: "",
      state: "draft",
      createdAt: world.ctx.now(),
      updatedAt: world.ctx.now(),
    });
    await end();
    expect((await click()).headers.get("Location")).toBe(`/post/${eventId}-2`);
    expect(await written()).toMatchObject([{ state: "published" }]);
  });

  test("that may not be sold yet says why, and may be prepared as a draft", async () => {
    await world.ctx.db.update(events).set({ priceFromCents: 2_500 }).where(eq(events.id, eventId));
    await world.env.DB.prepare("UPDATE documents SET status = 'rejected' WHERE person_id = ?")
      .bind(ana.id)
      .run();
    await end();
    const answer = await click();
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      message: "Seus documentos foram recusados. Corrija e mande de novo para vender.",
    });
    expect(await written()).toEqual([]);
    expect((await click({ asDraft: "true" })).headers.get("Location")).toBe(
      `/post/${eventId}/edit`,
    );
  });

  test("is nobody else's to publish", async () => {
    await end();
    const other: ActingCaller = { person: await createSeller(world.ctx), isCreator: true };
    const fan: ActingCaller = { person: await createPerson(world.ctx, "Bia") };
    for (const who of [other, fan])
      expect(await responseOutcome(routes.post(who, `/events/${eventId}/recording`, {}))).toBe(
        "404",
      );
    expect(await written()).toEqual([]);
  });
});
