import { Form, useNavigation } from "react-router";
import { RefreshPaymentButton } from "#app/components/checkout/charge/refresh-button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";

type ConfirmCardProps = {
  text: string;
  nextActionUrl: string | null;
  problem: string | null | undefined;
  /** `get` where the page asks the provider on every load. */
  method?: "get" | "post";
};

/**
 * Confirmation of a card at its bank before it is saved: a link to the bank, and "Já confirmei",
 * which asks the provider for the result. It is a link because a form may not redirect to another
 * origin (CSP, `form-action`).
 */
export function SavedCardConfirmation({
  text,
  nextActionUrl,
  problem,
  method = "post",
}: ConfirmCardProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <p>{text}</p>
      <Form method={method} className="flex flex-col gap-4">
        <div role="status">
          <FormMessage message={problem} />
        </div>
        <div className="flex flex-wrap gap-2">
          {nextActionUrl === null ? null : (
            <a
              href={nextActionUrl}
              className="inline-flex min-h-11 items-center rounded-full bg-ink px-5 font-semibold text-paper"
            >
              Confirmar no banco
            </a>
          )}
          <RefreshPaymentButton isAsking={isBusy}>Já confirmei</RefreshPaymentButton>
        </div>
      </Form>
    </>
  );
}
