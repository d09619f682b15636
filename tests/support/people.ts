import { commit } from "#app/db/client.server.ts";
import { saveTaxId } from "#app/domain/billing/details/commands.server.ts";
import type { Context } from "#app/domain/context.ts";
import { approveDocuments } from "#app/domain/documents/commands.server.ts";
import type { SellerCompany } from "#app/domain/documents/schema.ts";
import { newPersonStatements } from "#app/domain/identity/commands.server.ts";
import { TERMS_VERSION } from "#app/domain/identity/registration/rules/terms.ts";
import { submitSellerDetails } from "#app/domain/payouts/destinations/commands.server.ts";
import { activatePlan, createPlan } from "#app/domain/plans/commands.server.ts";
import { creatorPlan } from "#app/domain/plans/queries.server.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { openSpace, registerProfileStatements } from "#app/domain/profiles/commands.server.ts";
import { documentFilesStatement } from "#app/domain/documents/files/queries.server.ts";
import { documentFiles, documentViews } from "#drizzle/schema/documents.ts";
import { people } from "#drizzle/schema/identity.ts";
import { generateCpf } from "@brazilian-utils/brazilian-utils/generate-cpf";
import { eq } from "drizzle-orm";

export type TestPerson = { id: string; username: string; name: string; email: string };

/** Creates a member as registration does. */
export async function createPerson(ctx: Context, name = "Pessoa"): Promise<TestPerson> {
  const id = ctx.newId();
  const username = `p${id.slice(-16)}`;
  const email = `${username}@exemplo.test`;
  await commit(ctx.db, [
    ...newPersonStatements(ctx, {
      personId: id,
      provider: "test",
      user: { providerUserId: id, email, name, username },
      registered: { birthDate: "1990-01-31", termsVersion: TERMS_VERSION },
    }),
    ...registerProfileStatements(ctx, { personId: id, username, name }),
  ]);
  return { id, username, name, email };
}

/** Saves a CPF, which a trial requires. */
export const saveCpf = (ctx: Context, { id: personId, name }: TestPerson): Promise<void> =>
  saveTaxId(ctx, { personId, name, taxKind: "cpf", taxId: generateCpf() });

/** Creates a member with a saved CPF, who can start a trial. */
export async function createTrialPerson(ctx: Context, name = "Pessoa"): Promise<TestPerson> {
  const made = await createPerson(ctx, name);
  await saveCpf(ctx, made);
  return made;
}

export async function createModerator(ctx: Context): Promise<TestPerson> {
  const made = await createPerson(ctx, "Moderação");
  await ctx.db.update(people).set({ isModerator: true }).where(eq(people.id, made.id));
  return made;
}

/** Inserts the rows of the files that an approval requires, without bytes in R2. */
export async function insertDocumentFiles(ctx: Context, personId: string): Promise<void> {
  const file = {
    personId,
    contentType: "image/webp" as const,
    sizeBytes: 1,
    state: "kept" as const,
    createdAt: ctx.now(),
  };
  await ctx.db.insert(documentFiles).values(
    (["passport", "selfie", "company_card"] as const).map((kind) => ({
      ...file,
      id: ctx.newId(),
      kind,
    })),
  );
}

/** Logs that a moderator opened every file of a person, which an approval asks for. */
export async function openDocumentFiles(
  ctx: Context,
  { moderatorId, personId }: { moderatorId: string; personId: string },
): Promise<void> {
  const files = await documentFilesStatement(ctx, { personId });
  if (files.length === 0) return;
  await ctx.db.insert(documentViews).values(
    files.map(({ id: fileId, kind }) => ({
      id: ctx.newId(),
      personId,
      fileId,
      kind,
      viewerId: moderatorId,
      viewedAt: ctx.now(),
    })),
  );
}

/** Approves documents as a moderator who opened every file, of a contest's other side too. */
export async function approveOpened(
  ctx: Context,
  approval: Parameters<typeof approveDocuments>[1],
): Promise<void> {
  await openDocumentFiles(ctx, approval);
  const holderId = approval.takesFrom?.split(":")[0];
  if (holderId) await openDocumentFiles(ctx, { ...approval, personId: holderId });
  await approveDocuments(ctx, approval);
}

export type Seller = TestPerson & { planId: string; priceId: string; planName: string };

export type SellerOptions = {
  amountCents?: number;
  interval?: Interval;
  seatsLimit?: number | null;
  approved?: boolean;
  trialDays?: number;
  pixKey?: { kind: "email" | "cpf"; key: string };
  company?: SellerCompany;
};

/**
 * Creates a seller with a page, documents, a Pix key and one active plan. The plan is monthly by
 * default.
 */
export async function createSeller(
  ctx: Context,
  {
    amountCents = 1_990,
    interval = "monthly",
    seatsLimit = null,
    approved = true,
    trialDays = 0,
    pixKey,
    company,
  }: SellerOptions = {},
): Promise<Seller> {
  const made = await createPerson(ctx, "Ana Lira");
  await openSpace(ctx, {
    personId: made.id,
    name: made.name,
    bio: "Rabeca.",
    city: "Recife, PE",
    craft: "forró",
    avatarMediaId: null,
    bannerMediaId: null,
  });
  const { planId } = await createPlan(ctx, {
    creatorId: made.id,
    name: "Camarim",
    description: "O que acontece antes do palco.",
    benefits: ["Ensaios"],
    prices: [{ interval, amountCents }],
    seatsLimit,
    trialDays,
    welcomeMessage: "Que bom que você veio!",
  });
  const cpf = generateCpf();
  await submitSellerDetails(ctx, {
    personId: made.id,
    fullName: "Ana Maria Lira",
    cpf,
    birthDate: "1990-01-31",
    company: company ?? null,
    pixKey: pixKey ?? { kind: "email", key: made.email },
  });
  if (approved) await insertDocumentFiles(ctx, made.id);
  if (approved)
    await approveOpened(ctx, {
      moderatorId: (await createModerator(ctx)).id,
      personId: made.id,
    });
  await activatePlan(ctx, { creatorId: made.id, planId });
  const plan = await creatorPlan(ctx, { planId, creatorId: made.id });
  const price = plan?.prices[0];
  if (!price) throw new Error("the plan has no price");
  return { ...made, planId, priceId: price.id, planName: "Camarim" };
}
