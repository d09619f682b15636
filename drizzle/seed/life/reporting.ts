import { eq } from "drizzle-orm";
import { claimCase } from "#app/domain/moderation/reports/commands/claims.server.ts";
import { decideCase } from "#app/domain/moderation/reports/commands/decide.server.ts";
import { reportSubject } from "#app/domain/moderation/reports/commands/report.server.ts";
import type { NewReport } from "#app/domain/moderation/reports/commands/report.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { reports } from "#drizzle/schema/moderation.ts";
import { fans } from "#drizzle/seed/town/fans.ts";
import { personOf, studioOf } from "./town.ts";
import type { SeededWorld } from "./town.ts";

/** Three reports of the last days: one decided, one that Carla claimed, and one that waits. */
export function planReports(world: SeededWorld): void {
  const { ctx } = world.rehearsal;
  const idOf = (creator: string): string => studioOf(world, creator).person.id;
  const report = async (
    fanIndex: number,
    { reason, details, subject }: Omit<NewReport, "reporterId">,
  ): Promise<string> => {
    const reporterId = personOf(world, fans[fanIndex]?.username ?? "").id;
    const { reportId } = await reportSubject(ctx, { reporterId, reason, details, subject });
    const [row] = await ctx.db
      .select({ caseId: reports.caseId })
      .from(reports)
      .where(eq(reports.id, reportId));
    return row?.caseId ?? "";
  };
  const claimed = async (caseId: string): Promise<string> => {
    const moderatorId = personOf(world, "carla").id;
    await claimCase(ctx, { caseId, moderatorId, version: 1, reason: "" });
    return moderatorId;
  };
  world.calendar.at(world.endAt - 3 * DAY_MS, async () => {
    const subject = { kind: "profile" as const, id: idOf("cida") };
    const details = "Achei os preços altos.";
    const caseId = await report(1, { subject, reason: "other", details });
    await decideCase(ctx, {
      caseId,
      moderatorId: await claimed(caseId),
      version: 2,
      reportsSeen: 1,
      decision: "dismiss",
      reason: "Cada página escolhe os seus preços.",
    });
  });
  world.calendar.at(world.endAt - 20 * HOUR_MS, async () => {
    const subject = { kind: "profile" as const, id: idOf("nilo") };
    const details = "A capa parece com a de um disco que eu tenho.";
    await claimed(await report(2, { subject, reason: "copyright", details }));
  });
  world.calendar.at(world.endAt - 5 * HOUR_MS, async () => {
    const shown = world.published.filter(
      ({ opening, at, studio }) =>
        opening === "public" && at < ctx.now() && studio.creator.username === "otavio",
    );
    const postId = shown.at(-1)?.postId;
    if (!postId) return;
    await report(3, {
      subject: { kind: "post", id: postId },
      reason: "spam",
      details: "O mesmo texto apareceu três vezes no meu início.",
    });
  });
}
