import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import type { ButtonVariant } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";

type Problem = {
  errors: Record<string, string>;
  message: string | null;
  values: Record<string, string>;
};
type PasswordFormProps = {
  problem: Problem | undefined;
  act: string;
  variant?: ButtonVariant;
  back: string;
  children?: ReactNode;
};

/** Form for a step that requires the password. */
export function PasswordForm({ problem, act, variant, back, children }: PasswordFormProps) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(problem);
  return (
    <Form method="post" noValidate className="flex flex-col gap-5">
      <FormMessage message={problem?.message} />
      {children}
      <TextField
        label="Sua senha"
        name="currentPassword"
        type="password"
        autoComplete="current-password"
        required
        error={problem?.errors.currentPassword}
      />
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
