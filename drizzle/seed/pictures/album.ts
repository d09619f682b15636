import { BANNER_WIDTH, banners } from "./banners.ts";
import { faceFrom, faceSvg } from "./faces.ts";
import { hands } from "./hands.ts";
import type { Hand, Picture } from "./pen.ts";
import { renderAll } from "./render.ts";
import type { Drawing, Prepared } from "./render.ts";
import { FACE_WIDTH_PIXELS } from "#app/domain/media/rules.ts";
import { randomFrom } from "#drizzle/seed/random.ts";
import { creators } from "#drizzle/seed/town/creators.ts";
import { fans } from "#drizzle/seed/town/fans.ts";

/** Every picture of the town, ready to be uploaded. */
export type Album = {
  /** By `<username> <index of the post>`. */
  pictures: Map<string, { prepared: Prepared; alt: string }>;
  faces: Map<string, Prepared>;
  banners: Map<string, Prepared>;
};

const POST_WIDTHS = [1280, 640, FACE_WIDTH_PIXELS];
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

export async function renderAlbum(): Promise<Album> {
  const posts = creators.flatMap(({ username, posts: list }) =>
    list.flatMap(({ scene }, index) => (scene ? [{ key: `${username} ${index}`, username, picture: drawPost(username, index, scene) }] : [])),
  );
  const faces = [
    ...creators.map(({ username, face }) => ({ username, svg: faceSvg(face) })),
    ...["carla", ...fans.map(({ username }) => username)].map((username) => ({ username, svg: faceSvg(faceFrom(randomFrom(`face ${username}`))) })),
  ];
  const wide = Object.entries(banners).map(([username, draw]) => ({ username, svg: draw(randomFrom(`banner ${username}`)) }));
  const rendered = await renderAll([
    ...posts.map(({ username, picture }): Drawing => ({ svg: picture.svg, widths: POST_WIDTHS, isLossless: lossless.has(username) })),
    ...faces.map(({ svg }): Drawing => ({ svg, widths: PROFILE_WIDTHS, isLossless: false })),
    ...wide.map(({ svg }): Drawing => ({ svg, widths: [BANNER_WIDTH, 320], isLossless: false })),
  ]);
  const one = (index: number): Prepared => {
    const prepared = rendered[index];
    if (!prepared) throw new Error("a drawing was not rendered");
    return prepared;
  };
  return {
    pictures: new Map(posts.map(({ key, picture }, index) => [key, { prepared: one(index), alt: picture.alt }])),
    faces: new Map(faces.map(({ username }, index) => [username, one(posts.length + index)])),
    banners: new Map(wide.map(({ username }, index) => [username, one(posts.length + faces.length + index)])),
  };
}
