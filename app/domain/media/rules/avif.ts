import { ascii } from "./inspection.ts";

type Header = { contentType: "image/avif"; width: number; height: number };
type Box = { type: string; bodyStart: number; end: number };

const BOXES_MAX = 500;

/**
 * Reads the size of an AVIF (AV1 Image File Format). Returns the largest of its images, because any
 * of them may be decoded.
 */
export function avifHeader(view: DataView): Header | null {
  if (ascii(view, 4, 4) !== "ftyp" || !/^avi[fs]$/.test(ascii(view, 8, 4))) return null;
  const meta = boxesOf(view, 0, view.byteLength).find((box) => box.type === "meta");
  const properties =
    meta && boxesOf(view, meta.bodyStart + 4, meta.end).find((box) => box.type === "iprp");
  const container =
    properties &&
    boxesOf(view, properties.bodyStart, properties.end).find((box) => box.type === "ipco");
  if (!container) return null;
  const sizes = boxesOf(view, container.bodyStart, container.end)
    .filter((box) => box.type === "ispe" && box.end - box.bodyStart >= 12)
    .map((box) => ({
      width: view.getUint32(box.bodyStart + 4),
      height: view.getUint32(box.bodyStart + 8),
    }));
  const largest = sizes.toSorted(
    (one, other) => other.width * other.height - one.width * one.height,
  )[0];
  return largest ? { contentType: "image/avif", ...largest } : null;
}

function boxesOf(view: DataView, start: number, end: number): Box[] {
  const boxes: Box[] = [];
  let at = start;
  while (at + 8 <= end && boxes.length < BOXES_MAX) {
    const size = view.getUint32(at);
    // The picture itself may reach past the bytes that were read.
    const boxEnd = size === 0 ? end : Math.min(at + size, end);
    if (boxEnd < at + 8) break;
    boxes.push({ type: ascii(view, at + 4, 4), bodyStart: at + 8, end: boxEnd });
    at = boxEnd;
  }
  return boxes;
}
