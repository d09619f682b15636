export type QrDrawing = { path: string; size: number };

/** QR code, black on white in any theme, with the quiet zone that readers need. */
export function QrCode({ drawing, label }: { drawing: QrDrawing; label: string }) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${drawing.size} ${drawing.size}`}
      shapeRendering="crispEdges"
      className="aspect-square w-full max-w-64 rounded-field bg-white"
    >
      <path d={drawing.path} fill="#15170f" />
    </svg>
  );
}
