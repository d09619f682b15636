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
  kind: "post" | "collection" | "plan" | "page";
  /** Of a page its username will do. */ id: string;
  viewer: Member | null;
};

/**
 * `found` for a post, a collection, a plan or a page: when it is not there for the viewer because
 * of their age, they are led to the page that it is of, which says so and has the way in. Costs a
 * question only when nothing was found.
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
  if (kind === "collection") return ageGateOfCollection(ctx, { collectionId: id, viewerId });
  return ageGateOfPage(ctx, { key: kind === "plan" ? { planId: id } : { page: id }, viewerId });
}
