import { initWasm, Resvg } from "@resvg/resvg-wasm";
import type { ResvgRenderOptions } from "@resvg/resvg-wasm";
import resvgModule from "@resvg/resvg-wasm/index_bg.wasm";
import type { Picture } from "#app/domain/syndication/schema.ts";
import { cardSvg, svgText } from "./card.ts";
import type { Style } from "./card.ts";
import { loadFonts } from "./fonts.ts";

let ready: Promise<ResvgRenderOptions> | null = null;

/** Renders `picture` as a PNG. `avatar` is a data URI of a JPEG, or null. Needs no network. */
export async function renderPng(
  picture: Picture,
  avatar: string | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const options = await (ready ??= prepared());
  const textWidth = (text: string, style: Style) => widthOf(text, style, options);
  const renderer = new Resvg(cardSvg({ picture, avatar, textWidth }), options);
  const image = renderer.render();
  // Copies the bytes: they live in the renderer's memory, which is freed next.
  const png = Uint8Array.from(image.asPng());
  image.free();
  renderer.free();
  return png;
}

async function prepared(): Promise<ResvgRenderOptions> {
  await initWasm(resvgModule);
  return { font: { fontBuffers: loadFonts(), defaultFontFamily: "Figtree" } };
}

/** Measures with the same renderer, so that the measured text fits. */
function widthOf(text: string, style: Style, options: ResvgRenderOptions): number {
  const renderer = new Resvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="10000" height="400">${svgText(text, { x: 0, y: 300, style })}</svg>`,
    options,
  );
  const width = renderer.innerBBox()?.width ?? 0;
  renderer.free();
  return width;
}
