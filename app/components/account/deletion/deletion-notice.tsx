import { Form, Link, useLocation, useNavigation } from "react-router";
import { Button } from "#app/components/ui/button.tsx";

/**
 * Notice above every page of an account with a pending deletion: its date, and a way to cancel
 * while there is one.
 */
export function DeletionNotice({ dueDay, mayStay }: { dueDay: string; mayStay: boolean }) {
  const isBusy = useNavigation().formMethod === "POST";
  if (useLocation().pathname.startsWith("/auth/account/deletion")) return null;
  return (
    <section
      aria-label="Exclusão da conta"
      className="mb-4 flex flex-wrap items-center justify-between gap-3 rounded-card bg-attention-soft px-5 py-4"
    >
      <p className="min-w-0 text-attention">
        <strong className="font-semibold">
          {mayStay ? `Sua conta será excluída em ${dueDay}.` : "Sua conta está sendo excluída."}
        </strong>{" "}
        <Link to="/auth/account/deletion" className="underline underline-offset-2">
          Ver o que isso significa
        </Link>
      </p>
      {mayStay ? (
        <Form method="post" action="/auth/account/deletion/cancellation">
          <Button size="sm" disabled={isBusy}>
            Manter minha conta
          </Button>
        </Form>
      ) : null}
    </section>
  );
}
