import { eq } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { appealPath } from "#app/domain/moderation/appeals/queries.server.ts";
import { claimCase } from "#app/domain/moderation/reports/commands/claims.server.ts";
import { decideCase } from "#app/domain/moderation/reports/commands/decide.server.ts";
import type { NewDecision } from "#app/domain/moderation/reports/commands/decide.server.ts";
import { reportSubject } from "#app/domain/moderation/reports/commands/report.server.ts";
import type { NewReport } from "#app/domain/moderation/reports/commands/report.server.ts";
import { caseRow } from "#app/domain/moderation/reports/queries.server.ts";
import type { ReportCase } from "#app/domain/moderation/reports/queries.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { reports } from "#drizzle/schema/moderation.ts";
import type { TestPerson } from "./people.ts";

/** Publishes a public post. Returns its id. */
export async function publicPost(ctx: Context, authorId: string, title = "Uma rabeca") {
  const post = { title, content: "Texto.", teaser: "", audience: "public" as const, planIds: [] };
  return (await publishPost(ctx, { authorId, ...post, image: null })).postId;
}

/** Reports a subject as spam. Returns the report's id and the case. */
export async function reported(
  ctx: Context,
  reporter: TestPerson,
  report: Partial<NewReport> & Pick<NewReport, "subject">,
): Promise<{ reportId: string; isNew: boolean; caseId: string }> {
  const made = await reportSubject(ctx, {
    reporterId: reporter.id,
    reason: "spam",
    details: "",
    ...report,
  });
  const [row] = await ctx.db
    .select({ caseId: reports.caseId })
    .from(reports)
    .where(eq(reports.id, made.reportId));
  if (!row) throw new Error("the report was not stored");
  return { ...made, caseId: row.caseId };
}

export async function caseNow(ctx: Context, caseId: string): Promise<ReportCase> {
  const row = await caseRow(ctx, { caseId });
  if (!row) throw new Error("no such case");
  return row;
}

/** Claims a case and decides it, as one moderator. */
export async function claimedAndDecided(
  ctx: Context,
  {
    caseId,
    moderator,
    ...decision
  }: Pick<NewDecision, "caseId" | "decision"> & Partial<NewDecision> & { moderator: TestPerson },
): Promise<void> {
  const moderatorId = moderator.id;
  const { version, reportsCount } = await caseNow(ctx, caseId);
  await claimCase(ctx, { caseId, moderatorId, version, reason: "Vou olhar." });
  await decideCase(ctx, {
    caseId,
    moderatorId,
    version: version + 1,
    reportsSeen: reportsCount,
    rule: "spam",
    reason: "Propaganda repetida.",
    ...decision,
  });
}

/** The parts of a signed appeal address. */
export async function appealAddress(ctx: Context, caseId: string) {
  const [, , , signature = ""] = (await appealPath(ctx, { caseId })).split("/");
  return { caseId, signature };
}
