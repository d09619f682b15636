import { startAgeCheck, markPageAdult, settleAgeCheck } from "#app/domain/age/commands.server.ts";
import { REFERENCE_PARAMETER } from "#app/domain/age/schema.ts";
import type { AgeAnswer } from "#app/domain/age/schema.ts";
import type { Context } from "#app/domain/context.ts";
import { answerAgeCheck } from "#workers/local/age-check.ts";
import { testClock } from "./clock.ts";
import { createSeller } from "./people.ts";
import type { Seller } from "./people.ts";
import { testEnv } from "./worker-env.ts";

/** The reference that the local age check returns after a press of its button. */
export async function ageCheckReference(address: string, isAdult: boolean): Promise<string> {
  const form = new URLSearchParams({ adult: isAdult ? "yes" : "no" });
  const answer = await answerAgeCheck(new Request(address, { method: "POST", body: form }), {
    secret: testEnv.AGE_CHECK_SECRET ?? "",
    now: testClock.now(),
  });
  return new URL(answer.headers.get("location") ?? "").searchParams.get(REFERENCE_PARAMETER) ?? "";
}

/** Takes a person through the age check. Needs `adultSpaces`. */
export async function passAgeCheck(
  ctx: Context,
  { id: personId }: { id: string },
  isAdult = true,
): Promise<AgeAnswer> {
  const address = await startAgeCheck(ctx, {
    personId,
    returnTo: `${ctx.settings.appOrigin}/age-check/answer`,
  });
  return settleAgeCheck(ctx, { personId, reference: await ageCheckReference(address, isAdult) });
}

/** Creates a seller whose page is for adults. */
export async function adultSeller(ctx: Context): Promise<Seller> {
  const made = await createSeller(ctx);
  await markPageAdult(ctx, { personId: made.id });
  return made;
}
