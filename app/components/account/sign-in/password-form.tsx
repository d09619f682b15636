import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import type { ButtonVariant } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

type PasswordFormProps = {
  problem: FormProblem | undefined;
  act: string;
  variant?: ButtonVariant;
  back: string;
  /** False for an account without a password, whose owner has just confirmed by a code. */
  asksPassword: boolean;
  children?: ReactNode;
};

/** Form for a step that requires the password, where the account has one. */
export function PasswordForm({
  problem,
  act,
  variant,
  back,
  asksPassword,
  children,
}: PasswordFormProps) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(problem);
  return (
    <Form method="post" noValidate className="flex flex-col gap-5">
      <FormMessage message={problem?.message} link={problem?.link} />
      {children}
      {asksPassword ? (
        <TextField
          label="Sua senha"
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          required
          error={problem?.errors.currentPassword}
        />
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button variant={variant} disabled={isBusy}>
          {act}
        </Button>
        <ButtonLink to={back} variant="outline">
          Voltar
        </ButtonLink>
      </div>
    </Form>
  );
}
