import {
  bandeirinhas,
  CLOTH_HEX,
  FLAG_HEX,
  FLAG_PITCH,
  flagPath,
  ROW_PITCH,
} from "#app/lib/bandeirinhas-pattern.ts";
import { escapeXml } from "#app/domain/syndication/rules/xml.ts";
import type { Picture } from "#app/domain/syndication/schema.ts";
import { renderSVG } from "uqr";
import { wrapText } from "./lines.ts";

export type Size = { width: number; height: number };
export type Style = { family: "Bricolage Grotesque" | "Figtree"; weight: 600 | 800; size: number };
/** The width of `text` drawn in `style`, in pixels. */
type TextWidth = (text: string, style: Style) => number;

/** The size that Open Graph readers show uncropped. */
const CARD: Size = { width: 1200, height: 630 };
/** The minimum of Apple's podcast directory. */
const COVER: Size = { width: 1400, height: 1400 };
/** What Instagram and WhatsApp show full-screen. */
const STORY: Size = { width: 1080, height: 1920 };

export const cardSize = ({ kind }: Pick<Picture, "kind">): Size =>
  kind === "cover" ? COVER : kind === "story" ? STORY : CARD;

/** The light theme's colours (app/styles/theme.css): a picture has no theme. */
const COLOUR = {
  paper: "#FBFAF6",
  ink: "#15170F",
  muted: "#5F6355",
  line: "#E6E3D8",
  signal: "#3BD16F",
  sand: "#F1EEE3",
};
const MARGIN = 72;
const INNER = CARD.width - 2 * MARGIN;
const BRAND_WIDTH = 220;
const BASELINE = CARD.height - 62;
const STORY_MARGIN = 96;
const STORY_NAME_Y = 720;
const STORY_QR_Y = 950;
const QR_SIDE = 440;

type CardDrawing = { picture: Picture; avatar: string | null; textWidth: TextWidth };

/** One picture as an SVG. `avatar` is a data URI, or null. */
export function cardSvg(drawn: CardDrawing): string {
  const { width, height } = cardSize(drawn.picture);
  const inside = { space: spaceCard, post: postCard, collection: collectionCard, cover, story }[
    drawn.picture.kind
  ](drawn);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${COLOUR.paper}"/>${inside}</svg>`;
}

function spaceCard({ picture, avatar, textWidth }: CardDrawing): string {
  const style = display(76);
  const [name = ""] = wrapText(picture.title, {
    width: INNER,
    most: 1,
    measure: (text) => textWidth(text, style),
  });
  const about = plain(34);
  const [line = ""] = wrapText(picture.line, {
    width: INNER,
    most: 1,
    measure: (text) => textWidth(text, about),
  });
  return [
    flags(picture.seed, { columns: 30, rows: 5, width: CARD.width }),
    face({ picture, avatar, x: MARGIN, y: 140, size: 190, ring: 14 }),
    svgText(name, { x: MARGIN, y: 428, style }),
    svgText(line, { x: MARGIN, y: 484, style: about, fill: COLOUR.muted }),
    foot(picture.handle, { x: MARGIN, textWidth }),
  ].join("");
}

function postCard({ picture, avatar, textWidth }: CardDrawing): string {
  const isLocked = picture.line !== "";
  const style = display(picture.title.length > 60 ? 54 : 66);
  const lines = wrapText(picture.title, {
    width: INNER,
    most: isLocked ? 2 : 3,
    measure: (text) => textWidth(text, style),
  });
  const pitch = style.size * 1.1;
  const below = 276 + (lines.length - 1) * pitch;
  return [
    flags(picture.seed, { columns: 30, rows: 4, width: CARD.width }),
    ...lines.map((line, index) => svgText(line, { x: MARGIN, y: 276 + index * pitch, style })),
    isLocked ? lock(picture.line, { x: MARGIN, y: below + 30, textWidth }) : "",
    face({ picture, avatar, x: MARGIN, y: CARD.height - 116, size: 84, ring: 0 }),
    foot(picture.handle, { x: MARGIN + 108, textWidth }),
  ].join("");
}

function collectionCard({ picture, avatar, textWidth }: CardDrawing): string {
  const style = display(picture.title.length > 40 ? 54 : 66);
  const lines = wrapText(picture.title, {
    width: INNER,
    most: 2,
    measure: (text) => textWidth(text, style),
  });
  const pitch = style.size * 1.1;
  return [
    flags(picture.seed, { columns: 30, rows: 4, width: CARD.width }),
    ...lines.map((line, index) => svgText(line, { x: MARGIN, y: 276 + index * pitch, style })),
    svgText(picture.line, {
      x: MARGIN,
      y: 276 + (lines.length - 1) * pitch + 60,
      style: plain(34),
      fill: COLOUR.muted,
    }),
    face({ picture, avatar, x: MARGIN, y: CARD.height - 116, size: 84, ring: 0 }),
    foot(picture.handle, { x: MARGIN + 108, textWidth }),
  ].join("");
}

/** A square that is still legible at thumbnail size. */
function cover({ picture, avatar, textWidth }: CardDrawing): string {
  if (avatar)
    return `<image href="${avatar}" width="${COVER.width}" height="${COVER.height}" preserveAspectRatio="xMidYMid slice"/>`;
  const style = display(140);
  const lines = wrapText(picture.title, {
    width: COVER.width - 192,
    most: 3,
    measure: (text) => textWidth(text, style),
  });
  return (
    flags(picture.seed, { columns: 14, rows: 7, width: COVER.width }) +
    lines.map((line, index) => svgText(line, { x: 96, y: 980 + index * 150, style })).join("")
  );
}

/**
 * The whole page of a phone. The upper and lower 250 pixels have only flags: the apps put their own
 * text there.
 */
function story({ picture, avatar, textWidth }: CardDrawing): string {
  const middle = STORY.width / 2;
  const inner = STORY.width - 2 * STORY_MARGIN;
  const name = display(picture.title.length > 18 ? 84 : 104);
  const lines = wrapText(picture.title, {
    width: inner,
    most: 2,
    measure: (text) => textWidth(text, name),
  });
  const pitch = name.size * 1.08;
  const about = plain(40);
  const below = STORY_NAME_Y + (lines.length - 1) * pitch;
  const oneLine = (text: string, style: Style) =>
    wrapText(text, { width: inner, most: 1, measure: (part) => textWidth(part, style) })[0] ?? "";
  const centred = (text: string, y: number, style: Style, fill?: string) =>
    svgText(text, { x: middle, y, style, anchor: "middle", ...(fill ? { fill } : {}) });
  const address = (picture.address ?? "").replace(/^https?:\/\//, "");
  return [
    flags(picture.seed, { columns: 15, rows: 4, width: STORY.width }),
    face({ picture, avatar, x: middle - 160, y: 280, size: 320, ring: 20 }),
    ...lines.map((line, index) => centred(line, STORY_NAME_Y + index * pitch, name)),
    centred(
      oneLine([picture.handle, picture.line].filter(Boolean).join(" · "), about),
      below + 70,
      about,
      COLOUR.muted,
    ),
    qrCode(picture.address ?? "", { x: middle - QR_SIDE / 2, y: STORY_QR_Y, side: QR_SIDE }),
    centred(oneLine(address, plain(44)), STORY_QR_Y + QR_SIDE + 76, plain(44)),
    brand({ left: middle - BRAND_WIDTH / 2, baseline: 1600 }),
  ].join("");
}

function qrCode(text: string, { x, y, side }: { x: number; y: number; side: number }): string {
  const inside = renderSVG(text, { ecc: "M", border: 4, pixelSize: 1 });
  return `<rect x="${x}" y="${y}" width="${side}" height="${side}" rx="32" fill="#FFFFFF" stroke="${COLOUR.line}" stroke-width="2"/>${inside.replace("<svg ", `<svg x="${x}" y="${y}" width="${side}" height="${side}" `).replace('fill="white"', 'fill="none"')}`;
}

const display = (size: number): Style => ({ family: "Bricolage Grotesque", weight: 800, size });
const plain = (size: number): Style => ({ family: "Figtree", weight: 600, size });

export function svgText(
  text: string,
  {
    x,
    y,
    style,
    fill = COLOUR.ink,
    anchor = "start",
  }: { x: number; y: number; style: Style; fill?: string; anchor?: "start" | "middle" },
): string {
  const tight = style.family === "Figtree" ? 0 : -0.02 * style.size;
  return `<text x="${x}" y="${y}" font-family="${style.family}" font-weight="${style.weight}" font-size="${style.size}" letter-spacing="${tight}" fill="${fill}" text-anchor="${anchor}">${escapeXml(text)}</text>`;
}

function lock(
  text: string,
  { x, y, textWidth }: { x: number; y: number; textWidth: TextWidth },
): string {
  const style = plain(28);
  const outline = `<g transform="translate(${x + 24} ${y + 13}) scale(1.25)" fill="none" stroke="${COLOUR.ink}" stroke-width="2.4" stroke-linecap="round"><rect x="4" y="11" width="16" height="10" rx="2"/><path d="M8 11V7a4 4 0 0 1 8 0v4"/></g>`;
  return `<rect x="${x}" y="${y}" width="${textWidth(text, style) + 98}" height="58" rx="29" fill="${COLOUR.sand}"/>${outline}${svgText(text, { x: x + 66, y: y + 39, style })}`;
}

type FaceProps = {
  picture: Picture;
  avatar: string | null;
  x: number;
  y: number;
  size: number;
  ring: number;
};

/** The person's picture, or the first letter of their name. */
function face({ picture, avatar, x, y, size, ring }: FaceProps): string {
  const [middleX, middleY, radius] = [x + size / 2, y + size / 2, size / 2];
  const round = `<circle cx="${middleX}" cy="${middleY}" r="${radius + ring}" fill="${COLOUR.paper}"/>`;
  if (avatar) {
    return `${round}<clipPath id="face"><circle cx="${middleX}" cy="${middleY}" r="${radius}"/></clipPath><image href="${avatar}" x="${x}" y="${y}" width="${size}" height="${size}" preserveAspectRatio="xMidYMid slice" clip-path="url(#face)"/>`;
  }
  const [letter = ""] = (
    picture.kind === "post" || picture.kind === "collection" ? picture.handle : picture.title
  )
    .replace(/^@/, "")
    .toLocaleUpperCase("pt-BR");
  const style = display(size * 0.44);
  return `${round}<circle cx="${middleX}" cy="${middleY}" r="${radius}" fill="${COLOUR.line}"/>${svgText(letter, { x: middleX, y: middleY + size * 0.16, style, anchor: "middle" })}`;
}

/** The footer: the creator's page, and our name. */
function foot(text: string, { x, textWidth }: { x: number; textWidth: TextWidth }): string {
  const style = plain(32);
  const [line = ""] = wrapText(text, {
    width: CARD.width - MARGIN - BRAND_WIDTH - x - 32,
    most: 1,
    measure: (word) => textWidth(word, style),
  });
  return (
    svgText(line, { x, y: BASELINE, style, fill: COLOUR.muted }) +
    brand({ left: CARD.width - MARGIN - BRAND_WIDTH, baseline: BASELINE })
  );
}

/** Our bandstand and name. */
function brand({ left, baseline }: { left: number; baseline: number }): string {
  const stand = `<g transform="translate(${left} ${baseline - 44}) scale(1.75)"><path d="M6.5 12a9.5 8 0 0 1 19 0z" fill="${COLOUR.signal}"/><path d="M16 2v5M4 12.5h24M8.5 13v13M16 13v13M23.5 13v13M3 29h26" stroke="${COLOUR.ink}" stroke-width="2" stroke-linecap="round" fill="none"/></g>`;
  return stand + svgText("Coreto", { x: left + 70, y: baseline, style: display(44) });
}

/** The flags hang from the upper edge, as on the square cover. */
function flags(
  seed: string,
  { columns, rows, width }: { columns: number; rows: number; width: number },
): string {
  const pattern = bandeirinhas({ seed, columns, rows });
  const scale = width / (columns * FLAG_PITCH);
  const strings = pattern.strings.map(
    (y) => `<path d="M0 ${y + 0.5}H${pattern.width}" stroke="${COLOUR.line}"/>`,
  );
  const shapes = pattern.flags.map(
    (flag) => `<path d="${flagPath(flag)}" fill="${FLAG_HEX[flag.colour]}"/>`,
  );
  return `<g transform="scale(${scale})"><rect width="${pattern.width}" height="${rows * ROW_PITCH}" fill="${CLOTH_HEX.light}"/>${strings.join("")}${shapes.join("")}</g>`;
}
