import { expect, test } from "vitest";
import { shapeOf } from "#app/components/shell/navigation/pending-page.tsx";

test.each([
  ["/", "post"],
  ["/space/ana", "post"],
  ["/explore/imagens", "post"],
  ["/analytics", "figures"],
  ["/analytics/posts", "figures"],
  ["/notifications", "rows"],
  ["/messages", "rows"],
  // No path of the same beginning is taken for another.
  ["/posts-of-nobody", "rows"],
])("while %s loads, its place is taken by %s", (path, shape) => {
  expect(shapeOf(path)).toBe(shape);
});
