/** The hidden field with the page for which a form was shown. */
export const SPACE_FIELD = "space";

/**
 * For a `shouldRevalidate`: reloads a route after a conflict. The layout then shows for whose page
 * the member acts, and a list shows changes made elsewhere. The form keeps its input.
 */
export function revalidateOnConflict({
  actionStatus,
  defaultShouldRevalidate,
}: {
  actionStatus?: number;
  defaultShouldRevalidate: boolean;
}): boolean {
  return actionStatus === 409 || defaultShouldRevalidate;
}
