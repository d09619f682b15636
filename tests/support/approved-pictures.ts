import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import pixelmatch from "pixelmatch";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { inRoot } from "#scripts/paths.ts";

const APPROVED = inRoot("tests", "e2e", "approved-pictures");
const REFUSED = inRoot(".tmp", "pictures");

/**
 * How different a pixel may be (0 to 1), and how many pixels of a square of 24 may be different:
 * less than a letter that moved. Pixels are those of the smaller picture. Edges of letters, which
 * another version of Chromium draws a little differently, are below both.
 */
const TOLERANCE = { threshold: 0.12, windowSize: 24 };
const MOST_PIXELS = 24;

/** On a machine that draws letters differently, a picture may be so much higher or lower. */
const OTHER_HEIGHT = 0.1;

/** Whether this run writes the approved pictures instead of comparing with them. */
const isApproving = process.env.APPROVE_PICTURES === "1";

/**
 * Whether this machine draws as the one that drew the approved pictures: the same version of
 * Chromium, and fonts of the system with the same widths. Elsewhere only sizes are compared. An
 * approving run notes its machine.
 */
export async function drawsAsApproved(page: Page): Promise<boolean> {
  const widths = await page.evaluate(() => {
    const pen = document.createElement("canvas").getContext("2d");
    return ["monospace", "serif", "sans-serif"].map((family) => {
      if (pen) pen.font = `40px ${family}`;
      return ["Coreto, R$ 19,90", "\u2764\uFE0F \u{1F44F} \u{1F389}"].map(
        (text) => pen?.measureText(text).width,
      );
    });
  });
  const version = page.context().browser()?.version() ?? "";
  const machine = `${JSON.stringify({ version, widths })}\n`;
  const file = join(APPROVED, "drawn-by.txt");
  if (isApproving) save(file, Buffer.from(machine));
  return readFileSync(file, "utf8") === machine;
}

/**
 * Compares a picture of a page with the approved one of that name. Both are made smaller and
 * compressed alike, so that all of them fit in the repository. Without `drawsAlike`, only their
 * sizes are compared. Returns what is different, or null. The new picture and the difference are
 * then in `.tmp/pictures`.
 */
export async function pictureProblem(
  name: string,
  png: Buffer,
  { drawsAlike }: { drawsAlike: boolean },
): Promise<string | null> {
  const file = join(APPROVED, `${name}.webp`);
  const taken = await compressed(png);
  if (isApproving) return save(file, taken);
  if (!existsSync(file)) return refuse(name, taken, "has no approved picture");
  const approved = readFileSync(file);
  if (approved.equals(taken)) return null;
  const [one, other] = await Promise.all([pixelsOf(approved), pixelsOf(taken)]);
  const { width, height } = one.info;
  if (!drawsAlike) {
    const isAlike =
      width === other.info.width && Math.abs(other.info.height / height - 1) <= OTHER_HEIGHT;
    return isAlike ? null : refuse(name, taken, `is ${other.info.height} high, was ${height}`);
  }
  if (width !== other.info.width || height !== other.info.height)
    return refuse(
      name,
      taken,
      `is ${other.info.width} by ${other.info.height}, was ${width} by ${height}`,
    );
  const difference = Buffer.alloc(one.data.length);
  const count = pixelmatch(one.data, other.data, difference, width, height, TOLERANCE);
  if (count <= MOST_PIXELS) return null;
  const drawn = sharp(difference, { raw: { width, height, channels: 4 } });
  save(join(REFUSED, `${name}-difference.png`), await drawn.png().toBuffer());
  return refuse(name, taken, `differs in ${count} pixels of one place`);
}

async function compressed(png: Buffer): Promise<Buffer> {
  const { width } = await sharp(png).metadata();
  return sharp(png)
    .resize({ width: Math.round(width * 0.4) })
    .webp({ quality: 35, effort: 3 })
    .toBuffer();
}

const pixelsOf = (picture: Buffer) =>
  sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });

function refuse(name: string, taken: Buffer, why: string): string {
  save(join(REFUSED, `${name}.webp`), taken);
  return `${name} ${why}: see .tmp/pictures`;
}

function save(file: string, content: Buffer): null {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return null;
}
