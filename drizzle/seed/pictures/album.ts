import { BANNER_WIDTH, banners } from "./banners.ts";
import { faceFrom, faceSvg } from "./faces.ts";
import { hands } from "./hands.ts";
import type { Hand, Picture } from "./pen.ts";
import { renderer } from "./render.ts";
import type { Prepared } from "./render.ts";
import { THUMBNAIL_WIDTH_PIXELS } from "#app/domain/media/rules.ts";
import { randomFrom } from "#drizzle/seed/random.ts";
import { creators } from "#drizzle/seed/town/creators.ts";
import type { SeedCreator } from "#drizzle/seed/town/shape.ts";

/**
 * Every picture of the town, ready to be uploaded once it is rendered. Who has no face here is
 * drawn by the product, from their name.
 */
export type Album = {
  /** By `<username> <index of the post>`. */
  pictures: Map<string, { prepared: Promise<Prepared>; alt: string }>;
  faces: Map<string, Promise<Prepared>>;
  banners: Map<string, Promise<Prepared>>;
};

const POST_WIDTHS = [1280, 640, THUMBNAIL_WIDTH_PIXELS];
const PROFILE_WIDTHS = [1280, 320];
/** Whose small repeated marks are smaller without loss. */
const lossless = new Set(["zefa", "nilo"]);

/** The drawing of one post: its creator's hand, its scene, and a chance of its own. */
export function drawPost(username: string, index: number, scene: string): Picture {
  const hand: Hand | undefined = Object.entries(hands).find(([name]) => name === username)?.[1];
  const draw = hand?.[scene];
  if (!draw) throw new Error(`${username} does not draw ${scene}`);
  return draw(randomFrom(`${username} ${index} ${scene}`));
}

/**
 * Begins to render everything of `only` them, oldest posts first as the story needs them, and gives
 * at once what will be ready.
 */
export function beginAlbum(only: readonly SeedCreator[] = creators): Album {
  const posts = only.flatMap(({ username, posts: list }) =>
    list.flatMap(({ scene }, index) =>
      scene
        ? [
            {
              key: `${username} ${index}`,
              index,
              username,
              picture: drawPost(username, index, scene),
            },
          ]
        : [],
    ),
  );
  const inOrder = posts.toSorted((left, right) => right.index - left.index);
  const render = renderer();
  const faces = [
    ...only.map(({ username, face }) => ({ username, svg: faceSvg(face) })),
    ...["carla", "bruno"].map((username) => ({
      username,
      svg: faceSvg(faceFrom(randomFrom(`face ${username}`))),
    })),
  ];
  return {
    faces: new Map(
      faces.map(({ username, svg }) => [
        username,
        render({ svg, widths: PROFILE_WIDTHS, isLossless: false }),
      ]),
    ),
    banners: new Map(
      Object.entries(banners)
        .filter(([username]) => only.some((creator) => creator.username === username))
        .map(([username, draw]) => [
          username,
          render({
            svg: draw(randomFrom(`banner ${username}`)),
            widths: [BANNER_WIDTH, 320],
            isLossless: false,
          }),
        ]),
    ),
    pictures: new Map(
      inOrder.map(({ key, username, picture }) => [
        key,
        {
          alt: picture.alt,
          prepared: render({
            svg: picture.svg,
            widths: POST_WIDTHS,
            isLossless: lossless.has(username),
          }),
        },
      ]),
    ),
  };
}
