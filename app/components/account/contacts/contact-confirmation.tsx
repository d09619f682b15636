import { Form, useNavigation } from "react-router";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import type { ButtonVariant } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";

type Props = {
  /** Path of the list that the question is about. */
  back: string;
  list: string;
  question: string;
  lead: string;
  act: string;
  variant?: ButtonVariant;
  problem: { message: string | null } | undefined;
};

/** Asks for confirmation before a contact of the account changes. */
export function ContactConfirmation({ back, list, question, lead, act, variant, problem }: Props) {
  const isBusy = useNavigation().formMethod === "POST";
  return (
    <>
      <AccountCrumb to={back}>{list}</AccountCrumb>
      <PageHeader title={question} lead={lead} />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-4">
          <FormMessage message={problem?.message} />
          <div className="flex flex-wrap gap-2">
            <Button variant={variant} disabled={isBusy}>
              {act}
            </Button>
            <ButtonLink to={back} variant="outline">
              Voltar
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
