import { redirect } from "react-router";
import {
  ageGateOfCollection,
  ageGateOfPage,
  ageGateOfPost,
} from "#app/domain/age/queries.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import { foundOr404 } from "./refusal.ts";

type AgeGatedObject = {
  kind: "post" | "collection" | "message" | "event" | "plan" | "page";
  /** For a page, its username also works. */ id: string;
  viewer: Member | null;
};

/**
 * `found` for a post, a collection, a plan or a page. If it is hidden because of the viewer's age,
 * redirects to its creator's page, which says so and offers the age check. Costs a query only if
 * nothing was found.
 */
export async function foundOrAgeGate<Value>(
  ctx: Context,
  value: Value | null | undefined,
  message: string,
  { kind, id, viewer }: AgeGatedObject,
): Promise<Value> {
  if (value === null || value === undefined) {
    const gate = await gateOf(ctx, { kind, id, viewerId: viewer?.id ?? null });
    if (gate && ctx.settings.adultSpaces)
      throw redirect(viewer ? `/space/${gate.username}` : `/space/${gate.username}/public`);
  }
  return foundOr404(value, message);
}

async function gateOf(
  ctx: Context,
  { kind, id, viewerId }: Pick<AgeGatedObject, "kind" | "id"> & { viewerId: string | null },
): Promise<{ username: string } | null> {
  if (kind === "post") return ageGateOfPost(ctx, { postId: id, viewerId });
  // Nothing says what a message holds to somebody who may not see its sender's page.
  if (kind === "message" || kind === "event") return null;
  if (kind === "collection") return ageGateOfCollection(ctx, { collectionId: id, viewerId });
  return ageGateOfPage(ctx, { key: kind === "plan" ? { planId: id } : { page: id }, viewerId });
}
