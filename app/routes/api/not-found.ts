/** An address that the API does not have, in the API's own words. */
export function loader() {
  return Response.json({ error: "Not found" }, { status: 404 });
}

export const action = loader;
