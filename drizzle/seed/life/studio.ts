import { eq } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { approveDocuments } from "#app/domain/documents/commands.server.ts";
import { documentFilesStatement, documentKey } from "#app/domain/documents/files/queries.server.ts";
import { storeImage } from "#app/domain/media/commands.server.ts";
import { submitSellerDetails } from "#app/domain/payouts/destinations/commands.server.ts";
import type { PixKey } from "#app/domain/payouts/schema/destinations.ts";
import { activatePlan, createPlan } from "#app/domain/plans/commands.server.ts";
import { creatorPlan } from "#app/domain/plans/queries.server.ts";
import type { PlanPrice } from "#app/domain/plans/schema.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { openSpace } from "#app/domain/profiles/commands.server.ts";
import { addDays } from "#app/domain/time.ts";
import { documentFiles, documentViews } from "#drizzle/schema/documents.ts";
import { postAccessRules } from "#drizzle/schema/posts.ts";
import type { Prepared } from "#drizzle/seed/pictures/render.ts";
import { filesOf } from "#drizzle/seed/town/files.ts";
import type { SeedCreator, SeedPost } from "#drizzle/seed/town/shape.ts";
import type { Townsperson } from "./people.ts";
import { uploadFile } from "./uploading.ts";

/** How long what subscribers see first stays theirs alone. */
const EARLY_DAYS = 5;

export type Studio = {
  person: Townsperson;
  creator: SeedCreator;
  plans: { id: string; prices: PlanPrice[] }[];
};

/** Keeps a drawing as the product keeps an upload. */
export async function storeSeedImage(
  ctx: Context,
  image: { ownerId: string; purpose: "avatar" | "banner"; prepared: Prepared; alt: string },
): Promise<string> {
  const { ownerId, purpose, prepared, alt } = image;
  return (await storeImage(ctx, { ownerId, purpose, bytes: prepared.bytes, alt, field: purpose }))
    .mediaId;
}

/** Opens the page, tells who sells, is approved and puts the plans up for sale. */
export async function openStudio(
  ctx: Context,
  {
    person,
    creator,
    moderatorId,
    cpf,
    pixKey,
    avatarMediaId,
    bannerMediaId,
  }: {
    person: Townsperson;
    creator: SeedCreator;
    moderatorId: string;
    cpf: string;
    pixKey: PixKey;
    avatarMediaId: string | null;
    bannerMediaId: string | null;
  },
): Promise<Studio> {
  const { name, bio, craft, category, city, fullName, birthDate } = creator;
  await openSpace(ctx, {
    personId: person.id,
    name,
    bio,
    craft,
    category,
    city,
    avatarMediaId,
    bannerMediaId,
  });
  await submitSellerDetails(ctx, { personId: person.id, fullName, cpf, birthDate, pixKey });
  await saveDocuments(ctx, person);
  await openDocuments(ctx, { moderatorId, personId: person.id });
  await approveDocuments(ctx, { moderatorId, personId: person.id });
  const plans: Studio["plans"] = [];
  for (const plan of creator.plans) {
    const { planId } = await createPlan(ctx, { creatorId: person.id, ...plan });
    await activatePlan(ctx, { creatorId: person.id, planId });
    const made = await creatorPlan(ctx, { planId, creatorId: person.id });
    plans.push({ id: planId, prices: made?.prices ?? [] });
  }
  return { person, creator, plans };
}

const PAPER = new TextEncoder().encode(
  "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 297] >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n",
);

/** Papers that show nothing: nobody of the town has a document to be photographed. */
async function saveDocuments(ctx: Context, { id: personId }: Townsperson): Promise<void> {
  const files = (["id_pdf", "selfie"] as const).map((kind) => ({
    id: ctx.newId(),
    personId,
    kind,
    contentType: "application/pdf" as const,
    sizeBytes: PAPER.byteLength,
    state: "kept" as const,
    createdAt: ctx.now(),
  }));
  for (const file of files) await ctx.mediaStore.put(documentKey(file), PAPER, file.contentType);
  await commit(ctx.db, [ctx.db.insert(documentFiles).values(files)]);
}

/** Logs that the moderator who then approves opened every file. No bytes are read. */
async function openDocuments(
  ctx: Context,
  { moderatorId, personId }: { moderatorId: string; personId: string },
): Promise<void> {
  const files = await documentFilesStatement(ctx, { personId });
  const views = files.map(({ id: fileId, kind }) => ({
    id: ctx.newId(),
    personId,
    fileId,
    kind,
    viewerId: moderatorId,
    viewedAt: ctx.now(),
  }));
  await commit(ctx.db, [ctx.db.insert(documentViews).values(views)]);
}

/** Publishes one post of the town, with its picture and its files. */
export async function publish(
  ctx: Context,
  { person, creator, plans }: Studio,
  post: SeedPost,
  picture: { prepared: Prepared; alt: string } | null,
): Promise<{ postId: string }> {
  const planIds = plans.map((plan) => plan.id);
  const opening = audienceOf(post.opening, planIds);
  const media = [];
  for (const file of filesOf(creator.username, post.title))
    media.push({ mediaId: await uploadFile(ctx, person.id, file), alt: file.alt });
  const { postId } = await publishPost(ctx, {
    authorId: person.id,
    title: post.title,
    teaser: post.teaser,
    content: post.paragraphs.join("\n\n"),
    audience: opening.audience,
    planIds: opening.planIds,
    image: picture ? { bytes: picture.prepared.bytes, alt: picture.alt } : null,
    ...(media.length > 0 ? { media } : {}),
  });
  // Early access and selling alone have no form yet; the rules are what the product reads.
  const rule = { id: ctx.newId(), postId, planId: null };
  if (post.opening === "early") {
    await commit(ctx.db, [
      ctx.db
        .insert(postAccessRules)
        .values({ ...rule, kind: "public", opensAt: addDays(ctx.now(), EARLY_DAYS) }),
    ]);
  }
  if (post.opening === "paid") {
    const price = ctx.db
      .insert(postAccessRules)
      .values({ ...rule, kind: "price", amountCents: creator.paidCents });
    await commit(
      ctx.db,
      creator.sellsAlone
        ? [ctx.db.delete(postAccessRules).where(eq(postAccessRules.postId, postId)), price]
        : [price],
    );
  }
  return { postId };
}

function audienceOf(
  opening: SeedPost["opening"],
  planIds: string[],
): { audience: "public" | "followers" | "subscribers" | "plans"; planIds: string[] } {
  if (opening === "plan2") return { audience: "plans", planIds: planIds.slice(1) };
  if (opening === "plan3" || opening === "paid")
    return { audience: "plans", planIds: planIds.slice(-1) };
  return { audience: opening === "early" ? "subscribers" : opening, planIds: [] };
}
