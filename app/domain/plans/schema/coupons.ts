import { z } from "zod";
import { parseMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import { PRICE_INVALID_MESSAGE } from "#app/domain/plans/rules/limits.ts";
import { addDays, instantOfIsoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

export type CouponTerms = {
  /** One of the two is null. */
  percent: number | null;
  amountCents: Cents | null;
  /** How many payments it discounts; null for all of them. */
  cycles: number | null;
  /** Null for every plan. */
  planIds: string[] | null;
};

export type Coupon = CouponTerms & {
  id: string;
  code: string;
  usesLimit: number | null;
  usesCount: number;
  expiresAt: Instant | null;
  endedAt: Instant | null;
  createdAt: Instant;
};

export type CouponInput = CouponTerms & Pick<Coupon, "code" | "usesLimit" | "expiresAt">;

const CODE = /^[A-Z0-9-]{3,24}$/;
const MOST_USES = 100_000;
const MOST_CYCLES = 60;

/** A code as it is stored: "volta 10" is VOLTA10. */
export const normalizeCouponCode = (typed: string): string =>
  typed.replaceAll(/\s/g, "").toUpperCase();

/**
 * A code from a URL or a checkout; null for none. An impossible code is treated as unknown, not as
 * an error of its own.
 */
export const typedCodeSchema = z
  .string()
  .max(100)
  .optional()
  .transform((typed) => normalizeCouponCode(typed ?? "") || null);

const wholeNumber = (most: number, message: string) =>
  z
    .string()
    .default("")
    .transform((text) => text.trim())
    .refine(
      (text) =>
        text === "" || (/^\d{1,6}$/.test(text) && Number(text) >= 1 && Number(text) <= most),
      message,
    )
    .transform((text) => (text === "" ? null : Number(text)));

/** The form of a new coupon. */
export const couponSchema = z
  .object({
    code: z
      .string({ error: "Escreva o código" })
      .transform(normalizeCouponCode)
      .pipe(z.string().regex(CODE, "Use de 3 a 24 letras sem acento, números ou hífen")),
    kind: z.enum(["percent", "amount"], { error: "Escolha o tipo de desconto" }),
    discount: z
      .string({ error: "Diga de quanto é o desconto" })
      .trim()
      .min(1, "Diga de quanto é o desconto"),
    lasts: z.enum(["first", "some", "always"], { error: "Escolha até quando vale" }),
    cycles: wholeNumber(MOST_CYCLES, `Escreva um número de 1 a ${MOST_CYCLES}`),
    usesLimit: wholeNumber(MOST_USES, "Escreva só o número de usos"),
    expiresOn: z
      .string()
      .default("")
      .refine(
        (day) => day === "" || (/^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day))),
        "Escolha um dia do calendário",
      ),
    plans: z.union([z.string(), z.array(z.string())]).optional(),
  })
  .transform((form, check): CouponInput => {
    const refuse = (path: string, message: string) =>
      void check.addIssue({ code: "custom", path: [path], message });
    const percent = form.kind === "percent" ? Number(form.discount.replace(/\s*%$/, "")) : null;
    const amountCents = form.kind === "amount" ? parseMoney(form.discount) : null;
    if (percent !== null && !(Number.isInteger(percent) && percent >= 1 && percent <= 99))
      refuse("discount", "Escreva um número inteiro de 1 a 99");
    if (form.kind === "amount" && (amountCents === null || amountCents === 0))
      refuse("discount", PRICE_INVALID_MESSAGE);
    if (form.lasts === "some" && form.cycles === null)
      refuse("cycles", "Diga em quantos pagamentos vale");
    const planIds = form.plans === undefined ? null : [form.plans].flat();
    return {
      code: form.code,
      percent,
      amountCents,
      cycles: form.lasts === "always" ? null : form.lasts === "first" ? 1 : form.cycles,
      usesLimit: form.usesLimit,
      // The last day counts whole.
      expiresAt: form.expiresOn === "" ? null : addDays(instantOfIsoDay(form.expiresOn), 1),
      planIds,
    };
  });
