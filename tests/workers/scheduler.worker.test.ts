import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { stepPerRow } from "#app/domain/retry-backoff/commands/steps.server.ts";
import { people } from "#drizzle/schema/identity.ts";
import { testContext } from "#tests/support/context.ts";
import { createPerson } from "#tests/support/people.ts";
import { runNotificationsCron } from "#workers/notifications/sweep.ts";
import { runPayouts } from "#workers/payouts/run.ts";
import { runRenewals } from "#workers/renewals/run.ts";
import { runCronSteps } from "#workers/scheduler.ts";

const peopleAt = async (ctx: Context, provider: string) =>
  (await ctx.db.select({ id: people.id }).from(people).where(eq(people.provider, provider))).map(
    ({ id }) => id,
  );
async function personAt(ctx: Context, provider: string): Promise<string> {
  const { id } = await createPerson(ctx);
  await ctx.db.update(people).set({ provider }).where(eq(people.id, id));
  return id;
}
/** A step that moves everybody at the identity provider `from` to `to`. */
const moving = (from: string, to: string) =>
  stepPerRow({
    name: `move ${from}`,
    event: "run.move_failed",
    due: (ctx) => peopleAt(ctx, from),
    each: async (ctx, id) =>
      await ctx.db.update(people).set({ provider: to }).where(eq(people.id, id)),
  });

test("a step does what an earlier step of the same run made due", async () => {
  const { ctx } = await testContext();
  const id = await personAt(ctx, "first");
  await runCronSteps(ctx, [moving("first", "second"), moving("second", "third")]);
  expect(await peopleAt(ctx, "third")).toContain(id);
});

test("a step does not process rows that an earlier step of the same run has taken", async () => {
  const { ctx } = await testContext();
  await personAt(ctx, "contested");
  const processed: string[] = [];
  const second = stepPerRow({
    name: "second",
    event: "run.second_failed",
    due: (on) => peopleAt(on, "contested"),
    each: async (_, id) => processed.push(id),
  });
  await runCronSteps(ctx, [moving("contested", "taken"), second]);
  expect(processed).toEqual([]);
});

test("a step whose read fails does not stop the others, and its failure is logged", async () => {
  const { ctx, logged } = await testContext();
  const id = await personAt(ctx, "initial");
  const failing = stepPerRow({
    name: "failing",
    event: "run.read_failed",
    due: () => Promise.reject(new Error("no such table")),
    each: () => Promise.resolve(),
  });
  await runCronSteps(ctx, [failing, moving("initial", "final")]);
  expect(await peopleAt(ctx, "final")).toContain(id);
  expect(logged).toMatchObject([{ event: "run.read_failed", fields: { step: "failing" } }]);
});

test.each([
  ["renewals", 33, 8, runRenewals],
  ["payouts", 14, 3, runPayouts],
  ["notifications", 30, 22, runNotificationsCron],
] as const)(
  "a run of the %s cron with nothing to do asks for what is due of its %i steps in at most %i calls",
  async (_name, _steps, most, run) => {
    const { ctx, tick } = await testContext();
    await tick();
    const before = ctx.db.callsMade();
    await run(ctx);
    expect(ctx.db.callsMade() - before).toBeLessThanOrEqual(most);
  },
);
