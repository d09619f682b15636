import { encode } from "uqr";
import type { QrDrawing } from "#app/components/ui/qr-code.tsx";

/** The white margin around the code, in modules. Source: ISO/IEC 18004. */
const QUIET_ZONE = 4;

/** Draws a BR Code as one SVG path. It is drawn on the server, so that it works without JavaScript. */
export function qrDrawing(code: string): QrDrawing {
  const { data, size } = encode(code, { ecc: "M", border: QUIET_ZONE });
  const path = data.map((row, y) => rowPath(row, y)).join("");
  return { path, size };
}

/** Draws neighbouring dark modules as one rectangle. */
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
