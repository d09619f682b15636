import { z } from "zod";

const chargeSchema = z.object({
  id: z.string(),
  reference: z.string(),
  status: z.string(),
  method: z.string(),
  pixCode: z.string().nullable(),
  amountCents: z.number(),
  recurringPixId: z.string().nullable(),
});
const chargesSchema = z.object({ data: z.array(chargeSchema) });
const instructionsSchema = z.object({
  data: z.array(z.object({ id: z.string(), chargeId: z.string() })),
});
const transferSchema = z.object({
  id: z.string(),
  reference: z.string(),
  status: z.string(),
  amountCents: z.number(),
  pixKey: z.string(),
});
const transfersSchema = z.object({ data: z.array(transferSchema) });

export type SandboxCharge = z.infer<typeof chargeSchema>;
export type SandboxTransfer = z.infer<typeof transferSchema>;

/** Calls an action of the sandbox console. */
export async function sandboxAct(
  origin: string,
  path: string,
  body: Record<string, unknown> = {},
): Promise<unknown> {
  const response = await fetch(`${origin}/sandbox/${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
  });
  if (!response.ok)
    throw new Error(`/sandbox/${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Advances in one step and runs every cron once, without the days in between. */
export async function advanceAndTick(origin: string, advance: string): Promise<void> {
  await sandboxAct(origin, "clock", { advance, run: false });
  await sandboxAct(origin, "clock", { advance: "PT1M" });
}

/**
 * Advances in one step to noon of a Monday in São Paulo, at least nine days ahead. Weekly payouts
 * are due and every hold period of eight days is over. Runs no cron.
 */
export async function jumpToMonday(origin: string): Promise<void> {
  const { now_ms: now } = z.object({ now_ms: z.number() }).parse(await look(origin, "clock"));
  const day = new Date(now + 9 * 86_400_000);
  day.setUTCDate(day.getUTCDate() + ((8 - day.getUTCDay()) % 7));
  await sandboxAct(origin, "clock", {
    to: `${day.toISOString().slice(0, 10)}T15:00:00Z`,
    run: false,
  });
}

export async function sandboxCharges(origin: string): Promise<SandboxCharge[]> {
  return chargesSchema.parse(await look(origin, "charges?shown=1000")).data;
}

export async function sandboxTransfers(origin: string): Promise<SandboxTransfer[]> {
  return transfersSchema.parse(await look(origin, "transfers?shown=1000")).data;
}

/** The provider's charge for one of ours. */
export async function sandboxCharge(origin: string, chargeId: string): Promise<SandboxCharge> {
  const charge = (await sandboxCharges(origin)).find(({ reference }) => reference === chargeId);
  if (!charge) throw new Error(`the provider knows nothing of charge ${chargeId}`);
  return charge;
}

/** Settles the debit instruction of a Pix Automático charge now. */
export async function settleDebit(origin: string, chargeId: string): Promise<void> {
  const { id } = await sandboxCharge(origin, chargeId);
  const order = instructionsSchema
    .parse(await look(origin, "instructions?shown=1000"))
    .data.find((one) => one.chargeId === id);
  await sandboxAct(origin, `instructions/${order?.id ?? ""}/settle`);
}

/** Pays the charge of a copied Pix code, as the payer's bank would. */
export async function payPix(origin: string, pixCode: string): Promise<void> {
  const charge = (await sandboxCharges(origin)).find((one) => one.pixCode === pixCode);
  if (!charge) throw new Error("the provider knows no charge of this Pix code");
  await sandboxAct(origin, `charges/${charge.id}/pay`);
}

/** Whether the last request for the card field carried a cookie. */
export async function cardFieldHadCookie(origin: string): Promise<boolean | null> {
  return z
    .object({ last_request_had_cookie: z.boolean().nullable() })
    .parse(await look(origin, "card-field")).last_request_had_cookie;
}

async function look(origin: string, path: string): Promise<unknown> {
  const response = await fetch(`${origin}/sandbox/${path}`, {
    headers: { Accept: "application/json" },
  });
  if (!response.ok) throw new Error(`/sandbox/${path} answered ${response.status}`);
  return response.json();
}
