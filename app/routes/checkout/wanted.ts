import { singleKinds } from "#app/domain/purchases/schema.ts";
import type { SingleKind } from "#app/domain/purchases/schema.ts";

type Wanted = { kind: "plan"; targetId: string; interval: string | null } | { kind: SingleKind; targetId: string };

/** What a checkout's address names: `?post=<id>`, `?collection=<id>`, or `?plan=<id>&interval=…`. */
export function wantedAt(url: string): Wanted {
  const search = new URL(url).searchParams;
  const single = singleKinds.find((kind) => search.has(kind));
  if (single) return { kind: single, targetId: search.get(single) ?? "" };
  return { kind: "plan", targetId: search.get("plan") ?? "", interval: search.get("interval") };
}
