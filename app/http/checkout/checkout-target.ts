import { normalizeCouponCode } from "#app/domain/plans/schema/coupons.ts";
import { singleKinds } from "#app/domain/purchases/schema.ts";
import type { SingleKind } from "#app/domain/purchases/schema.ts";
import { linkMarkOf } from "#app/lib/link-mark.ts";
import { periodsSchema } from "#app/domain/subscriptions/schema.ts";

/** Longer than any code. */
const LONGEST_CODE = 100;

export type CheckoutTarget =
  | {
      kind: "plan";
      targetId: string;
      interval: string | null;
      coupon: string | null;
      /** How many periods are prepaid at once. */ periods: number;
      /** The creator's link that led here. */ link: string | null;
    }
  | { kind: SingleKind; targetId: string };

/**
 * Parses a checkout's address: `?post=<id>`, `?collection=<id>`, `?message=<id>`, `?event=<order
 * id>`, or `?plan=<id>&interval=…&coupon=…&periods=…&l=…`.
 */
export function parseCheckoutTarget(url: string): CheckoutTarget {
  const search = new URL(url).searchParams;
  const single = singleKinds.find((kind) => search.has(kind));
  if (single) return { kind: single, targetId: search.get(single) ?? "" };
  return {
    kind: "plan",
    targetId: search.get("plan") ?? "",
    interval: search.get("interval"),
    coupon: normalizeCouponCode(search.get("coupon")?.slice(0, LONGEST_CODE) ?? "") || null,
    periods: periodsSchema.catch(1).parse(search.get("periods") ?? undefined),
    link: linkMarkOf(search),
  };
}
