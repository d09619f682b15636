import { redirect } from "react-router";
import { limitedBody } from "#app/http/body.ts";
import { measurementChoice, measurementCookie } from "#app/lib/measurement.ts";
import { internalPath } from "#app/lib/own-path.ts";
import type { Route } from "./+types/measurement.ts";

/** The form has one word and a path. */
const LARGEST_BODY_BYTES = 8 * 1024;

/** The address has no page of its own: the choice is on the page of cookies. */
export const loader = () => redirect("/terms/cookies#medicao");

/** Saves whether a visitor allows measurement. Anything but a clear yes is a no. */
export async function action({ request }: Route.ActionArgs) {
  const form = await limitedBody(request, LARGEST_BODY_BYTES)
    .formData()
    .catch(() => new FormData());
  return redirect(internalPath(String(form.get("to") ?? "/")), {
    headers: { "Set-Cookie": measurementCookie(measurementChoice(form.get("choice"))) },
  });
}
