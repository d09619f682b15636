import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";

/**
 * Classes that show a part of a form (`group/pay`) only while a method is chosen in it. By CSS
 * alone, so that it works without JavaScript.
 */
export const shownForMethod: Record<PaymentMethod, { label: string; field: string }> = {
  pix: {
    // Without a choice, Pix shows.
    label:
      "group-has-[input[value^=card]:checked]/pay:hidden group-has-[input[value=automatic]:checked]/pay:hidden",
    field:
      "hidden group-has-[input[value=pix]:checked]/pay:flex group-has-[input[value=automatic]:checked]/pay:flex",
  },
  card: {
    label: "hidden group-has-[input[value^=card]:checked]/pay:inline",
    field: "hidden group-has-[input[value^=card]:checked]/pay:flex",
  },
};
