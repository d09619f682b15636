import type { RouterContextProvider } from "react-router";
import { draftFormContext, viewerContext } from "#app/http/contexts.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

const UNSENT =
  "A sua sessão tinha terminado, e nada foi enviado. O que você digitou está aqui: confira e envie de novo.";

/**
 * For which member a payment form is shown, and what they typed before their session expired, as a
 * form that was refused.
 */
export function payerView(context: Readonly<RouterContextProvider>): {
  payerId: string | null;
  unsent: FormProblem | null;
} {
  const values = context.get(draftFormContext);
  return {
    payerId: context.get(viewerContext)?.id ?? null,
    unsent: values && { errors: {}, message: UNSENT, values },
  };
}
