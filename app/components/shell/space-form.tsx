import type { ComponentProps } from "react";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { GuardedForm } from "#app/components/ui/fields/guarded-form.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { ActingField } from "./acting/acting-field.tsx";

/**
 * A form about the page that the member acts for. It says why it was refused, leads to the first
 * field with an error, and asks before its changes are left behind.
 */
export function SpaceForm({
  problem,
  className = "",
  children,
  ...form
}: { problem: FormProblem | undefined } & ComponentProps<typeof GuardedForm>) {
  useFirstError(problem);
  return (
    <GuardedForm method="post" noValidate className={`flex flex-col gap-5 ${className}`} {...form}>
      <ActingField />
      <FormMessage message={problem?.message} link={problem?.link} />
      {children}
    </GuardedForm>
  );
}
