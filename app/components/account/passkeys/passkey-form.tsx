import { useState } from "react";
import type { FormEvent } from "react";
import { useSubmit } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { runPasskeyCeremony } from "./run-passkey.ts";

type Problem = { errors: Record<string, string>; message: string | null };

/**
 * Form with a passkey's name and, where there is one, the password; then the device asks for
 * finger, face or PIN.
 */
export function PasskeyForm({
  problem,
  nameMax,
  asksPassword,
}: {
  problem: Problem | undefined;
  nameMax: number;
  /** False for an account without a password, whose owner has just confirmed by a code. */
  asksPassword: boolean;
}) {
  const submit = useSubmit();
  const [ceremonyProblem, setCeremonyProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const make = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    setCeremonyProblem(null);
    const ceremony = await runPasskeyCeremony("make", "/auth/account/passkeys/options", fields);
    setBusy(false);
    if (ceremony.done)
      return submit(
        { name: String(fields.get("name")), response: ceremony.response },
        { method: "post" },
      );
    return setCeremonyProblem(
      ceremony.field
        ? { errors: { [ceremony.field]: ceremony.message }, message: null }
        : { errors: {}, message: ceremony.message },
    );
  };
  const shown = ceremonyProblem ?? problem;
  return (
    <form method="post" onSubmit={make} noValidate className="flex flex-col gap-5 noscript:hidden">
      <FormMessage message={shown?.message} />
      <TextField
        label="Nome"
        name="name"
        autoComplete="off"
        required
        limit={nameMax}
        hint="Para reconhecer depois: qual aparelho é."
        error={shown?.errors.name}
      />
      {asksPassword ? (
        <TextField
          label="Sua senha"
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          required
          error={shown?.errors.currentPassword}
        />
      ) : null}
      <Button size="lg" disabled={isBusy} className="self-start">
        Criar chave de acesso
      </Button>
    </form>
  );
}
