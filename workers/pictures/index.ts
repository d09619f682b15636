import { mediaKey } from "#app/domain/media/rules.ts";
import { pictureVersion } from "#app/domain/syndication/rules/pictures.ts";
import { pictureSchema } from "#app/domain/syndication/schema.ts";
import type { Picture } from "#app/domain/syndication/schema.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { renderPng } from "./draw.ts";
import { cardSize } from "./card.ts";

type Env = { MEDIA: R2Bucket; IMAGES: ImagesBinding };

const PREFIX = "pictures/";
const WEEK_MS = 7 * DAY_MS;
const SWEPT_AT_ONCE = 1_000;
const PNG = "image/png";

/**
 * Draws pictures for the web worker, each once. A drawing is stored by its content for the current
 * week and the next. So deleted text is not stored for long.
 */
export default {
  async fetch(request, env, ctx): Promise<Response> {
    const asked = pictureSchema.safeParse(await request.json());
    if (!asked.success) return new Response(null, { status: 400 });
    const picture = asked.data;
    const key = `${weekPrefix(Date.now())}${picture.kind}-${pictureVersion(picture)}.png`;
    const storedPicture = await env.MEDIA.get(key);
    if (storedPicture)
      return new Response(storedPicture.body, { headers: { "Content-Type": PNG } });
    const png = await renderPng(picture, await avatarOf(env, picture));
    ctx.waitUntil(env.MEDIA.put(key, png, { httpMetadata: { contentType: PNG } }));
    return new Response(png, { headers: { "Content-Type": PNG } });
  },
  /**
   * Deletes drawings older than last week. Names start with their week, so that the oldest are
   * listed first.
   */
  async scheduled(_, env): Promise<void> {
    const { objects } = await env.MEDIA.list({ prefix: PREFIX, limit: SWEPT_AT_ONCE });
    const past = objects
      .map(({ key }) => key)
      .filter((key) => key < weekPrefix(Date.now() - WEEK_MS));
    if (past.length > 0) await env.MEDIA.delete(past);
  },
} satisfies ExportedHandler<Env>;

/** Weeks since 1970, zero-padded to sort as text. */
const weekPrefix = (at: number): string =>
  `${PREFIX}${String(Math.floor(at / WEEK_MS)).padStart(6, "0")}/`;

/**
 * Loads the person's picture in a format that the renderer reads; null if there is none, or its
 * bytes are missing.
 */
async function avatarOf({ MEDIA, IMAGES }: Env, picture: Picture): Promise<string | null> {
  if (picture.avatarMediaId === null) return null;
  const isLarge = picture.kind === "cover" || picture.kind === "story";
  const object = await MEDIA.get(mediaKey(picture.avatarMediaId, isLarge ? "1280" : "320"));
  if (!object) return null;
  const side = isLarge ? cardSize(picture).width : 320;
  const drawn = await IMAGES.input(object.body)
    .transform({ width: side, height: side, fit: "cover" })
    .output({ format: "image/jpeg", quality: 88 });
  const bytes = await drawn.response().arrayBuffer();
  return `data:image/jpeg;base64,${Buffer.from(bytes).toString("base64")}`;
}
