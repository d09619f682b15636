import { Form, useNavigation } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import type { FormProblem } from "#app/http/form.ts";

type SellerDetailsFormProps = { problem: FormProblem | undefined; defaults: Record<string, string>; submitLabel: string };

/** Who sells and where the money goes: the least that the law and the bank ask. */
export function SellerDetailsForm({ problem, defaults, submitLabel }: SellerDetailsFormProps) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(problem);
  const values = { ...defaults, ...problem?.values };
  const errors = problem?.errors ?? {};
  return (
    <Form method="post" className="flex flex-col gap-5" noValidate>
      <FormMessage message={problem?.message} />
      <TextField
        label="Nome completo"
        name="fullName"
        autoComplete="name"
        defaultValue={values.fullName}
        error={errors.fullName}
        maxLength={120}
        required
        hint="Como está no seu documento. Aparece para quem compra, como a lei pede."
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="CPF"
          name="cpf"
          inputMode="numeric"
          autoComplete="off"
          placeholder="000.000.000-00"
          maxLength={14}
          defaultValue={values.cpf}
          error={errors.cpf}
          required
        />
        <TextField
          label="Data de nascimento"
          name="birthDate"
          inputMode="numeric"
          autoComplete="bday"
          placeholder="31/12/1990"
          maxLength={10}
          defaultValue={values.birthDate}
          error={errors.birthDate}
          required
        />
      </div>
      <TextField
        label="Chave Pix"
        name="pixKey"
        autoComplete="off"
        defaultValue={values.pixKey}
        error={errors.pixKey}
        maxLength={77}
        required
        hint="Onde você recebe: CPF, e-mail, celular ou chave aleatória da sua conta. Se for CPF, precisa ser o seu."
      />
      <p className="text-small text-muted">
        Guardamos só o que a lei pede, e só a moderação vê. Conferimos em até 14 dias; enquanto isso você já vende, e os saques abrem com a
        aprovação.
      </p>
      <Button size="lg" disabled={isBusy} className="self-start">
        {submitLabel}
      </Button>
    </Form>
  );
}
