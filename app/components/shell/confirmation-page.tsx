import { quoted } from "#app/domain/text.ts";
import type { ReactNode } from "react";
import { Form } from "react-router";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { ActingField } from "./acting/acting-field.tsx";

type LifePageProps = {
  heading: string;
  title: string;
  means: string;
  button: ReactNode;
  backTo: string;
  message: string | null | undefined;
};

/** Asks for confirmation of a removal, takedown or restoration, and explains its effect. */
export function ConfirmationPage({
  heading,
  title,
  means,
  button,
  backTo,
  message,
}: LifePageProps) {
  return (
    <>
      <PageHeader title={heading} />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <FormMessage message={message} />
        <p>
          {quoted(title)}. {means}
        </p>
        <Form method="post" className="flex flex-wrap gap-2">
          <ActingField />
          {button}
          <ButtonLink to={backTo} variant="outline">
            Voltar
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
