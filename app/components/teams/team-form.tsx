import { useNavigation } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { FileField, TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { GuardedForm } from "#app/components/ui/fields/guarded-form.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { NAME_MAX } from "#app/domain/identity/schema.ts";
import { ACCEPTED_IMAGES } from "#app/domain/media/rules/limits.ts";
import { SLUG_MAX } from "#app/domain/teams/schema.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

type TeamFormProps = {
  initial: { name: string; slug: string };
  problem: FormProblem | undefined;
  submitLabel: string;
};

/** Form with a team's name, address and logo. */
export function TeamForm({ initial, problem, submitLabel }: TeamFormProps) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(problem);
  const values = { ...initial, ...problem?.values };
  const errors = problem?.errors ?? {};
  return (
    <GuardedForm
      method="post"
      encType="multipart/form-data"
      noValidate
      className="flex flex-col gap-5"
    >
      <FormMessage message={problem?.message} />
      <TextField
        label="Nome da equipe"
        name="name"
        required
        limit={NAME_MAX}
        autoComplete="off"
        defaultValue={values.name}
        error={errors.name}
      />
      <TextField
        label="Endereço"
        name="slug"
        required
        limit={SLUG_MAX}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint="Letras sem acento, números e hífens: casa-da-rabeca."
        defaultValue={values.slug}
        error={errors.slug}
      />
      <FileField
        label="Logo"
        name="logo"
        accept={ACCEPTED_IMAGES}
        required={false}
        hint="JPG, PNG, GIF ou WEBP, até 10 MB."
        error={errors.logo}
      />
      <Button size="lg" disabled={isBusy} className="self-start">
        {submitLabel}
      </Button>
    </GuardedForm>
  );
}
