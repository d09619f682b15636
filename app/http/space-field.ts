/** The hidden field that says for whose page a form was shown. */
export const SPACE_FIELD = "space";

/**
 * For a `shouldRevalidate`: after a conflict a route is read again, so that the layout learns for
 * whose page one acts now, and a list shows what changed elsewhere. The form and what was typed
 * stay.
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
