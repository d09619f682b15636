import type { ReactNode } from "react";
import { Form } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";

type PictureFormProps = {
  message: string | null | undefined;
  /** The page has one already, which this one replaces. */
  hasOne: boolean;
  saveLabel: string;
  replaceLabel: string;
  /** The field of the file. */
  children: ReactNode;
};

/** Form of a first step that asks for one picture. */
export function PictureForm({
  message,
  hasOne,
  saveLabel,
  replaceLabel,
  children,
}: PictureFormProps) {
  return (
    <Form method="post" encType="multipart/form-data" noValidate className="flex flex-col gap-5">
      <FormMessage message={message} />
      {children}
      <Button size="lg" variant={hasOne ? "outline" : "primary"} className="self-start">
        {hasOne ? replaceLabel : saveLabel}
      </Button>
    </Form>
  );
}
