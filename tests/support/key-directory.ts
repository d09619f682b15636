import type { Context } from "#app/domain/context.ts";
import type { PixKeyOwner } from "#app/domain/payments/schema.ts";
import type { World } from "./context.ts";

/** A context whose Pix key directory gives `answer` for every key. `asked`: the keys looked up. */
export function withKeyDirectory(
  { ctx }: World,
  answer: PixKeyOwner | null | Error,
): { ctx: Context; asked: string[] } {
  const asked: string[] = [];
  const pixKeyOwner = async ({ key }: { key: string }) => {
    asked.push(key);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { ctx: { ...ctx, payments: { ...ctx.payments, pixKeyOwner } } as Context, asked };
}
