import type { ReactNode } from "react";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";

type OutsideRefusalProps = {
  name: string;
  message: string | null;
  back: string;
  children?: ReactNode;
};

/** Why an external sign-in failed, and the ways to continue. */
export function ExternalSignInError({ name, message, back, children }: OutsideRefusalProps) {
  return (
    <>
      <h1 className="text-title">Entrar com {name}</h1>
      <div className="mt-6 flex flex-col gap-4">
        <FormMessage message={message} />
        {children}
        <ButtonLink to={back} size="lg" variant={children ? "ghost" : "primary"}>
          Voltar
        </ButtonLink>
      </div>
    </>
  );
}
