import { useRouteLoaderData } from "react-router";

/** Hidden field with the page that the form was shown for; nothing on the member's own page. */
export function ActingField() {
  const spaceId = actingSpaceOf(useRouteLoaderData("routes/member-layout"));
  return spaceId === null ? null : (
    <input type="hidden" name="space" value={spaceId} key={spaceId} />
  );
}

function actingSpaceOf(shell: unknown): string | null {
  if (typeof shell !== "object" || shell === null || !("acting" in shell)) return null;
  const { acting } = shell;
  if (typeof acting !== "object" || acting === null || !("spaceId" in acting)) return null;
  return typeof acting.spaceId === "string" ? acting.spaceId : null;
}
