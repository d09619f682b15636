/** Answers unknown addresses of the API with an error in the API's format. */
export function loader() {
  return Response.json({ error: "Not found" }, { status: 404 });
}

export const action = loader;
