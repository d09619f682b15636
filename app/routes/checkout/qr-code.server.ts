import { encode } from "uqr";
import type { QrDrawing } from "#app/components/checkout/pix-code.tsx";

/** Four modules of white around the code, as ISO/IEC 18004 asks. */
const QUIET_ZONE = 4;

/**
 * A BR Code as one SVG path, drawn on the server so that it shows without JavaScript and weighs
 * nothing in the browser.
 */
export function qrDrawing(code: string): QrDrawing {
  const { data, size } = encode(code, { ecc: "M", border: QUIET_ZONE });
  const path = data.map((row, y) => rowPath(row, y)).join("");
  return { path, size };
}

/** Neighbouring dark modules become one rectangle. */
function rowPath(row: boolean[], y: number): string {
  let path = "";
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue;
    const start = x;
    while (row[x + 1]) x += 1;
    path += `M${start} ${y}h${x - start + 1}v1h-${x - start + 1}z`;
  }
  return path;
}
