import { datesPreview } from "./dates-preview.server.ts";
import type { Route } from "./+types/dates.ts";

/** Returns the dates of a form that is being typed. Reads nothing of the database. */
export function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const fields = Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const [first = "", ...more] = searchParams.getAll(name);
      return [name, more.length > 0 ? [first, ...more] : first];
    }),
  );
  return { preview: datesPreview(fields) };
}
