import { beforeAll, expect, test } from "vitest";
import { eventFor } from "#app/domain/events/queries.server.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { eventMeta } from "#app/http/public-pages/event-meta.ts";
import { profileFor } from "#app/domain/profiles/queries.server.ts";
import * as create from "#app/routes/events/event-create.tsx";
import * as edit from "#app/routes/events/event-edit.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pngImage } from "#tests/support/images.ts";
import { createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { requestAs } from "#tests/support/uploads.ts";

const routes = callRoutesAs([
  { path: "events/create", module: create },
  { path: "events/:id/edit", module: edit },
]);

let world: World;
let ana: Seller;
let creator: ActingCaller;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  creator = { person: ana, isCreator: true };
});

type Fields = Record<string, string | File>;

function formOf(fields: Fields): FormData {
  const form = new FormData();
  const day = new Date(world.ctx.now() + 9 * DAY_MS).toISOString().slice(0, 10);
  const whole: Fields = {
    title: "Roda de rabeca",
    startsAt: `${day}T20:00`,
    endsAt: `${day}T22:00`,
    timeZone: "America/Sao_Paulo",
    place: "Olinda",
    coverAlt: "A rabeca na mesa",
    ...fields,
  };
  for (const [name, value] of Object.entries(whole)) form.append(name, value);
  return form;
}

const png = async (width: number): Promise<File> =>
  new File([await pngImage(width, 600)], "capa.png", { type: "image/png" });
const eventIdOf = (answer: Response): string =>
  answer.headers.get("Location")?.split("/").at(-1) ?? "";
const coverOf = async (eventId: string) =>
  (await eventFor(world.ctx, { eventId, viewerId: ana.id }))?.cover ?? null;
const edited = async (eventId: string, fields: Fields) => {
  const saved = await editableEvent(world.ctx, { eventId, creatorId: ana.id });
  const revision = String(saved?.revision);
  return routes.postForm(creator, `/events/${eventId}/edit`, formOf({ revision, ...fields }));
};
const status = async (viewer: Seller | null, mediaId: string) =>
  (await requestAs(world.ctx, viewer, `/media/${mediaId}/1280`)).status;

test("a cover is public with its event, is replaced and described anew, and goes", async () => {
  const cover = await png(900);
  const eventId = eventIdOf(await routes.postForm(creator, "/events/create", formOf({ cover })));
  const first = await coverOf(eventId);
  expect(first?.alt).toBe("A rabeca na mesa");
  const mediaId = first?.mediaId ?? "";
  expect([await status(ana, mediaId), await status(null, mediaId)]).toEqual([200, 404]);

  await edited(eventId, { publish: "true", coverAlt: "Outra frase" });
  expect(await coverOf(eventId)).toEqual({ mediaId, alt: "Outra frase" });
  expect(await status(null, mediaId)).toBe(200);

  await edited(eventId, { cover: await png(700) });
  const second = (await coverOf(eventId))?.mediaId ?? "";
  expect(second).not.toBe(mediaId);
  expect([await status(null, mediaId), await status(null, second)]).toEqual([404, 200]);

  await edited(eventId, { removesCover: "true" });
  expect(await coverOf(eventId)).toBeNull();
  expect(await status(null, second)).toBe(404);
});

test("every date of a repeating event has the cover", async () => {
  const repeated = {
    cover: await png(900),
    repeat: "daily",
    repeatEnds: "times",
    repeatTimes: "3",
  };
  await routes.postForm(creator, "/events/create", formOf({ ...repeated, title: "Toda semana" }));
  const dates = await world.env.DB.prepare(
    "SELECT COUNT(*) AS count, COUNT(DISTINCT cover_media_id) AS covers FROM events WHERE title = 'Toda semana' AND cover_media_id IS NOT NULL",
  ).first();
  expect(dates).toEqual({ count: 3, covers: 1 });
});

test.each([
  [
    "a text that calls itself a picture",
    () => new File(["<svg onload='alert(1)'/>"], "capa.png", { type: "image/png" }),
    /^Envie uma imagem JPG, PNG, GIF, WEBP ou AVIF/,
  ],
  [
    "an image of over 10 MB",
    () => new File([new Uint8Array(10.5 * 1024 * 1024)], "capa.png", { type: "image/png" }),
    /até 10 MB/,
  ],
])("%s is refused beside the cover, and what was typed stays", async (_, make, message) => {
  const before = await png(900);
  const eventId = eventIdOf(
    await routes.postForm(creator, "/events/create", formOf({ cover: before })),
  );
  const kept = await coverOf(eventId);
  for (const answer of [
    await routes.postForm(creator, "/events/create", formOf({ cover: make(), title: "Novo" })),
    await edited(eventId, { cover: make(), title: "Novo" }),
  ]) {
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      errors: { cover: expect.stringMatching(message) },
      values: { title: "Novo", place: "Olinda", coverAlt: "A rabeca na mesa" },
    });
  }
  expect(await coverOf(eventId)).toEqual(kept);
});

test("a shared event shows its cover, and without one the card of its page", async () => {
  const pictureOf = async (fields: Fields) => {
    const answer = await routes.postForm(
      creator,
      "/events/create",
      formOf({ publish: "true", ...fields }),
    );
    const event = await eventFor(world.ctx, { eventId: eventIdOf(answer), viewerId: null });
    const page = await profileFor(world.ctx, { key: ana.id, viewerId: null });
    if (!event || !page) throw new Error("nothing to share");
    const tags = eventMeta({
      event,
      creator: page,
      origin: "https://coreto.test",
      pageUrl: "https://coreto.test/x",
    });
    const said = (property: string) =>
      tags.flatMap((tag) =>
        "property" in tag && tag.property === property ? [String(tag.content)] : [],
      )[0];
    return [said("og:image"), said("og:image:type"), said("og:image:alt"), said("og:image:width")];
  };
  expect(await pictureOf({ cover: await png(900) })).toEqual([
    expect.stringMatching(/^https:\/\/coreto\.test\/media\/[0-9a-f]+\/1280/),
    "image/webp",
    "A rabeca na mesa",
    undefined,
  ]);
  expect(await pictureOf({})).toEqual([
    expect.stringContaining(ana.username),
    "image/png",
    expect.stringContaining("Cartão da página"),
    "1200",
  ]);
});
