import { cloudflareContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/healthz.ts";

const ANSWERS_WITHIN_MS = 2_000;
const NEVER_CACHED = { "Cache-Control": "no-store" };

/**
 * Reports the health for uptime monitors. Returns 200 when all parts answer, or 503 with the name
 * of the part that does not.
 */
export async function loader({ context }: Route.LoaderArgs) {
  const { env } = context.get(cloudflareContext);
  if (await answers(env.DB))
    return Response.json({ status: "ok", version: __VERSION__ }, { headers: NEVER_CACHED });
  return Response.json(
    { status: "unavailable", version: __VERSION__, failing: "d1" },
    { status: 503, headers: NEVER_CACHED },
  );
}

async function answers(database: D1Database): Promise<boolean> {
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), ANSWERS_WITHIN_MS));
  const asked = database
    .prepare("SELECT 1 FROM people LIMIT 1")
    .all()
    .then(
      ({ success }) => success,
      () => false,
    );
  return Promise.race([asked, late]);
}
